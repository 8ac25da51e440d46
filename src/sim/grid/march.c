// march.c: turns of warps that have not parted, from barrier to barrier without the scheduler, where nobody watches.
#include "sim/grid/march.h"
#include "sim/core/sched.h"
#include "sim/grid/block_wait.h"
#include "sim/grid/circuits.h"
#include "sim/grid/whole.h"

void sim_march_choose(SimExec *exec) {
  exec->marches = exec->bare && exec->steady && !exec->takes_turns && !exec->seed && !exec->program->options.path;
}

// All of its lanes are in one group that can run, and nobody is waited for.
static inline bool is_whole(const SimWarp *w) {
  const SimLanes *g = &w->groups[0];
  return w->group_count == 1 && g->mask == SIM_FULL && g->state == SIM_GROUP_RUN && g->conv < 0 && !g->forced;
}

static inline bool may_go(const SimExec *exec, int32_t pc) {
  const SimInst *in = &exec->code[pc];
  return in->full_run && in->full_run <= exec->block.left && !sim_circuits_want(exec, in);
}

// There is budget for a whole turn, and nobody wants to be asked before it.
static inline bool has_room(const SimExec *exec) {
  const SimBlock *b = &exec->block;
  uint64_t spent = b->executed + b->charged;
  return spent + SIM_TURN <= exec->block_budget && exec->executed + spent < exec->poll_at;
}

// On its way round a loop a warp goes by rounds (circuits.h).
static inline bool is_on_way(const SimExec *exec, int warp) {
  return exec->circuits && exec->circuits->left[warp].head >= 0;
}

static inline bool may_begin(SimExec *exec, const SimWarp *w, int warp) {
  SimBlock *b = &exec->block;
  if (!exec->marches || b->in_turn || b->watching || w->turns || w->asleep || !is_whole(w) || !has_room(exec))
    return false;
  b->left = SIM_TURN;
  return may_go(exec, w->groups[0].pc) && !is_on_way(exec, warp);
}

// Of a warp that does not wait for another block.
static inline void begin(SimExec *exec, SimWarp *w, int warp) {
  SimBlock *b = &exec->block;
  exec->warp = w;
  exec->regs = exec->files + (size_t)warp * exec->program->file_bytes;
  exec->partial = false;
  b->turn_charged = b->charged;
  if (exec->circuits) exec->circuits->trail.head = -1;
  b->wait.yielded = b->alert = false;
  if (exec->program->shares) sim_wait_turn_open(exec);
}

// As the scheduler does it.
static inline void take_up(SimExec *exec, SimWarp *w) {
  w->prefer = -1;
  w->picked = 0;
  exec->group = &w->groups[0];
  exec->active = SIM_FULL;
  exec->active_count = SIM_LANES;
  exec->pc = w->groups[0].pc;
  exec->stop_pc = -1;
  exec->alone = true;
  exec->block.slice = SIM_SLICE;
  exec->block.watch_pc = -1;
}

// Up to where it waits or ends, or something else has to go on.
static inline void go(SimExec *exec) {
  SimNext next;
  do next = sim_whole_run(exec, &exec->code[exec->pc]);
  while (next == SIM_GO && !exec->stopping && exec->active == SIM_FULL && exec->stop_pc < 0 && !exec->group->forced &&
         may_go(exec, exec->pc));
}

// It has ended or waits at a barrier, and no more of it is to be seen to.
static inline bool is_over(const SimExec *exec, const SimWarp *w) {
  bool waits = w->group_count == 1 && w->groups[0].state == SIM_GROUP_BARRIER;
  return (waits || !w->group_count) && !w->conv_count && exec->block.left > 0 && !exec->stopping;
}

SimMarch sim_march_turn(SimExec *exec, int warp) {
  SimWarp *w = &exec->warps[warp];
  SimBlock *b = &exec->block;
  if (!may_begin(exec, w, warp)) return SIM_MARCH_NOT;
  begin(exec, w, warp);
  b->round_progress = true;
  do {
    take_up(exec, w);
    go(exec);
    sim_sched_leave(exec);
    if (is_over(exec, w)) {
      w->strong_turns = 0;
      b->wait.round_quiet = false;   // it went on
      return SIM_MARCH_OVER;
    }
  } while (!exec->stopping && !b->alert && is_whole(w) && may_go(exec, w->groups[0].pc));
  b->in_turn = true;
  return exec->stopping ? SIM_MARCH_STOP : SIM_MARCH_OPEN;
}
