// turns.c: slices of groups of lanes, turns of warps, rounds of a block.
#include "sim/grid/turns.h"
#include <stdatomic.h>
#include "sim/check/fault.h"
#include "sim/core/ownership.h"
#include "sim/core/path.h"
#include "sim/core/sched.h"
#include "sim/core/sums.h"
#include "sim/grid/abreast.h"
#include "sim/grid/block_wait.h"
#include "sim/grid/circuits.h"
#include "sim/grid/lines.h"
#include "sim/grid/march.h"
#include "sim/grid/meet.h"
#include "sim/grid/run.h"
#include "sim/grid/spin.h"
#include "sim/grid/step.h"
#include "sim/grid/stints.h"

// ---- lanes that run apart -------------------------------------------------------------------------------------------

static bool is_straight(const SimInst *in) { return !in->handler || in->access == SIM_MEMORY_ACCESS; }

// With a seed, lanes may run apart from one access to memory on up to where something holds them together: a branch, a
// barrier, an operation of the warp. Without __syncwarp() nothing promises that they do not.
static bool part_lanes(SimExec *exec, const SimInst *in) {
  if (in->access != SIM_MEMORY_ACCESS || exec->active_count < 2 || sim_random(exec) % 4) return false;
  int32_t end = exec->pc + 1;
  bool another = false;
  for (; end != exec->stop_pc && is_straight(&exec->code[end]); end++) another |= exec->code[end].handler != NULL;
  uint32_t some = exec->active & (uint32_t)sim_random(exec);
  if (!another || !some || some == exec->active) return false;
  sim_sched_split(exec, some, exec->pc, exec->pc, end);
  return true;
}

// Where a function returns to its lanes mostly all are, and go on as before.
static inline bool is_awaited(const SimExec *exec) {
  return exec->pc == exec->stop_pc && exec->block.left > 0 && !exec->stopping;
}

// Runs the picked group until it waits, parts, ends, or its slice is used up. True if it was stopped before that, or
// its stint is over.
static bool run_group(SimExec *exec) {
  SimBlock *b = &exec->block;
  bool may_part = exec->seed && exec->sched == SIM_ITS;
  bool mixed = !may_part && !exec->program->options.path;
  bool whole = (exec->bare || exec->tells_lines) && mixed && exec->alone;
  sim_circuits_start(exec);
  while (whole) {
    if (!sim_lines_run(exec, exec->bare)) return false;
    if (!is_awaited(exec)) break;
    if (sim_sched_arrive(exec)) return false;
  }
  while (b->left > 0 && (exec->alone || b->slice > 0)) {
    if (exec->pc == exec->stop_pc) {
      if (sim_sched_arrive(exec)) return false;
      continue;
    }
    if (sim_must_stop(exec)) return true;
    const SimInst *in = &exec->code[exec->pc];
    if (exec->program->options.path && sim_path_stops(exec, in)) return false;
    if (may_part && part_lanes(exec, in)) return false;
    SimNext next;
    if (!in->run || !(mixed || sim_step_quiet(exec, in, 1, mixed))) next = sim_step_one(exec, in);
    else next = sim_step_line(exec, in, mixed);
    if (next != SIM_GO) return false;
  }
  return exec->takes_turns && b->left <= 0 && (exec->alone || b->slice > 0);
}

// ---- turns ----------------------------------------------------------------------------------------------------------

static bool is_set(const _Atomic bool *flag) { return flag && atomic_load_explicit(flag, memory_order_relaxed); }

void sim_poll(SimExec *exec) {
  SimExec *told = exec->helps ? exec->helps : exec;
  exec->poll_at = exec->executed + exec->block.executed + 65536;
  if (is_set(exec->cancel) || is_set(exec->crew_stop)) exec->stopping = exec->canceled = true;
  sim_progress(told, told->grid.ended, false);
}

static uint64_t budget_left(const SimExec *exec) {
  uint64_t spent = exec->block.executed + exec->block.charged;
  return exec->block_budget - LS_MIN(spent, exec->block_budget);
}

// How many instructions may still be executed, at least one; 0: that was it.
static uint64_t ask_budget(SimExec *exec) {
  uint64_t left = budget_left(exec);
  if (!left) sim_fault_budget(exec);
  if (!left || !sim_is_worker(exec) || left >= SIM_TURN) return left;
  sim_give_up(exec);   // the turn would be shorter
  return 0;
}

// What the others have left of the budget.
static uint64_t block_budget(const SimExec *exec) {
  uint64_t spent = exec->executed + (exec->grid.begun - 1) * sim_block_cost(exec->program);
  return exec->budget - LS_MIN(spent, exec->budget);
}

static inline void turn_start(SimExec *exec) {
  SimBlock *b = &exec->block;
  b->turn_charged = b->charged;
  sim_spin_turn_start(exec);
  sim_wait_turn_start(exec);
  if (exec->executed + b->executed >= exec->poll_at) sim_poll(exec);
}

static inline void turn_end(SimExec *exec) {
  SimBlock *b = &exec->block;
  if (b->left <= 0 && !b->wait.yielded) { b->idle_turns++; exec->warp->turns++; }
  sim_spin_turn_end(exec);
  sim_wait_turn_end(exec);
}

// As long as instructions are left of it. False: the run stops here (the turn may be taken up again).
static bool go_on(SimExec *exec) {
  SimBlock *b = &exec->block;
  while (b->left > 0 && !exec->stopping && exec->warp->group_count && sim_sched_pick(exec)) {
    uint64_t before = b->executed;
    b->resume = run_group(exec);
    sim_sched_leave(exec);
    b->round_progress |= b->executed != before;
    if (sim_must_stop(exec)) return false;
  }
  return true;
}

static void whole_start(SimExec *exec) {
  SimBlock *b = &exec->block;
  uint64_t turn = SIM_TURN, budget = ask_budget(exec);
  if (!budget) return;
  bool waits = exec->warp->asleep;   // who waits for another block comes to where that shows
  if (exec->seed && !b->watching && !waits && exec->warp->turns < 8) turn = 1 + sim_random(exec) % 512;
  b->left = (int32_t)LS_MIN(turn, budget);
  turn_start(exec);
  b->in_turn = true;
}

// One warp's turn in one piece.
static bool run_whole(SimExec *exec) {
  SimBlock *b = &exec->block;
  if (!exec->warp->group_count && !b->in_turn) return true;
  if (!b->in_turn) whole_start(exec);
  if (!go_on(exec)) return false;
  turn_end(exec);
  b->in_turn = false;
  return !exec->stopping;
}

// What it knows of its registers is the running warp's own.
static void take_up_kin(SimExec *exec) {
  int warp = sim_warp_index(exec);
  exec->own_pass = &exec->passes[warp];
  exec->kin = &exec->kins[(size_t)warp * (exec->program->kin_count + 1)];
}

static void stint_start(SimExec *exec) {
  uint64_t budget = ask_budget(exec);
  if (!budget) return;
  if (!exec->warp->stint.open) turn_start(exec);
  sim_stint_start(exec, budget);
  exec->block.in_turn = true;
}

// One warp's stint of its turn.
static bool run_stint(SimExec *exec) {
  SimBlock *b = &exec->block;
  if (!b->in_turn && sim_stint_none(exec)) return true;
  take_up_kin(exec);
  if (!b->in_turn) stint_start(exec);
  do {
    if (!go_on(exec)) return false;
  } while (!exec->stopping && b->resume && sim_stint_extend(exec, exec->warp->groups[exec->warp->picked].pc));
  if (!exec->stopping && sim_stint_end(exec)) turn_end(exec);
  b->in_turn = false;
  return !exec->stopping;
}

// False: the run stops here.
static bool run_turn(SimExec *exec, int warp) {
  SimMarch march = sim_march_turn(exec, warp);
  if (march == SIM_MARCH_OVER || march == SIM_MARCH_STOP) return march == SIM_MARCH_OVER;
  exec->warp = &exec->warps[warp];
  exec->regs = exec->files + (size_t)warp * exec->program->file_bytes;
  exec->partial = warp == exec->warp_count - 1 && launch_threads(exec->program->launch) % 32 != 0;
  return exec->takes_turns ? run_stint(exec) : run_whole(exec);
}

static bool run_round(SimExec *exec) {
  SimBlock *b = &exec->block;
  do {
    if (exec->takes_turns) sim_abreast_run(exec, budget_left(exec));
    for (; b->turn < exec->warp_count; b->turn++)
      if (!run_turn(exec, (int)b->order[b->turn])) return false;
  } while (exec->takes_turns && sim_stints_pass(exec));
  return true;
}

static void round_start(SimExec *exec) {
  SimBlock *b = &exec->block;
  for (int i = 0; i < exec->warp_count; i++) b->order[i] = (uint32_t)i;
  for (int i = exec->warp_count - 1; exec->seed && i > 0; i--) {
    int j = (int)(sim_random(exec) % (unsigned)(i + 1));
    uint32_t other = b->order[j];
    b->order[j] = b->order[i];
    b->order[i] = other;
  }
  b->turn = 0;
  if (exec->program->options.path) sim_path_round(exec);
  b->round_progress = false;
  b->in_round = true;
  sim_spin_round_start(exec);
  sim_wait_round_start(exec);
  if (exec->takes_turns) sim_stints_start(exec);
}

bool sim_may_hasten(const SimExec *exec) {
  const SimProgram *p = exec->program;
  return p->options.order == SIM_TURNS && p->warp_count > 1 && p->order_free && !p->options.seed && !p->options.path &&
         exec->checks & SIM_CHECK_RACE;
}

// A block of which nobody sees the order of warps has whole turns, as is fastest. A worker can do that: it gives up if
// it comes to a fault, and then all is done in the order that was asked for.
static void choose_turns(SimExec *exec) {
  if (!sim_is_worker(exec) || !sim_may_hasten(exec)) return;
  exec->takes_turns = !exec->bare;
  exec->kin = exec->kins;
  exec->own_pass = exec->passes;
}

bool sim_block_go(SimExec *exec) {
  SimBlock *b = &exec->block;
  sim_sums_start(exec);
  choose_turns(exec);
  sim_march_choose(exec);
  exec->block_budget = block_budget(exec);
  for (int k = 0; k < exec->warp_count && exec->takes_turns; k++) exec->passes[k].end = 0;
  if (b->wait.hopeless || b->wait.awaits) sim_fault_livelock(exec);
  for (; !exec->stopping;) {
    if (!b->in_round) round_start(exec);
    if (!run_round(exec)) return false;
    b->in_round = false;
    if (!b->live_warps) return true;
    sim_spin_round_end(exec);
    if (sim_wait_round_end(exec)) return false;
    if (!b->round_progress && !sim_sync_force(exec)) sim_fault_deadlock(exec);
  }
  return false;
}
