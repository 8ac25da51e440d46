// whole.c: straight lines one after the other, executed by a warp that has not parted, where nobody watches.
#include "sim/grid/whole.h"
#include "sim/core/sched.h"
#include "sim/core/sums.h"
#include "sim/grid/circuits.h"
#include "sim/grid/dots.h"
#include "sim/grid/lines.h"
#include "sim/grid/step.h"

// Instructions of a stretch of code have been executed; not those that were counted before.
static inline void settle(SimExec *exec, int32_t from, int32_t to) {
  int n = to - from;
  if (!n) return;
  exec->run_warps[from]++;
  exec->run_warps[to]--;
  sim_advance(exec, n);
}

// A line up to its end or the branch there, without what may be left out of it; *last: which of them it is. *next: what
// an access or an operation of the warp says, which is then the last that was executed.
__attribute__((always_inline))
static inline const SimInst *run_members(SimExec *exec, const SimInst *in, uint32_t mask, SimNext *next,
                                         unsigned *last) {
  uint8_t *regs = exec->regs;
  unsigned step = in->step;
  if (in->left_out) { step = in->then; in = sim_inst_after(in); }
  for (;;) {
    for (; step == SIM_STEP_PLAIN; in = sim_inst_after(in)) {
      in->op.run(regs, &in->op, mask);
      step = in->then;
    }
    if (step != SIM_STEP_LEAN) {
      if (step != SIM_STEP_DOT) { *last = step; return in; }
      const SimInst *end = sim_dots_run(exec, in->dot);
      if (end) { step = end->then; in = sim_inst_after(end); continue; }
    }
    *next = in->lean(exec, in, mask);
    if (*next != SIM_GO || exec->stopping) return in + 1;
    step = in->then;
    in = sim_inst_after(in);
  }
}

// Where the branch at the end of a line leads: 0: lanes part, or somebody wants to look; 1: on; 2: to its target.
typedef enum Way { WAY_PARTS, WAY_ON, WAY_JUMPS } Way;
static inline Way way_of(const SimExec *exec, const SimInst *in) {
  uint32_t taken = in->guard == SIM_NO_SLOT ? SIM_FULL : sim_pred(exec->regs, in->guard) ^ (0u - in->guard_negate);
  if (!in->jumps) return WAY_PARTS;
  if (!taken) return WAY_ON;
  return taken == SIM_FULL && !exec->block.alert ? WAY_JUMPS : WAY_PARTS;
}

// What lanes execute that the others have jumped over, up to where these wait.
__attribute__((noinline)) static SimNext run_aside(SimExec *exec, const SimInst *line) {
  SimNext next = SIM_GO;
  unsigned last = SIM_STEP_OUT;
  exec->pass += SIM_PASS;
  const SimInst *in = run_members(exec, line, exec->active, &next, &last);
  if (next == SIM_GO) sim_catch_up(exec, in->pc);
  sim_count_line(exec, line->pc, in->pc - line->pc);
  sim_advance(exec, in->pc - line->pc);
  if (next == SIM_GO && !exec->stopping) sim_sched_aside_end(exec);
  return next;
}

// The same as below, where the others only have to be waited for. False: nothing was done.
static inline bool part_aside(SimExec *exec, const SimInst *in, int32_t from) {
  if (!in->aside || exec->block.left - (in->pc + 1 - from) <= SIM_MOST_ASIDE || exec->block.alert) return false;
  if (exec->group->joined || !sim_sched_may_part_aside(exec)) return false;
  uint32_t jumpers = sim_guarded(exec, in);
  sim_catch_up(exec, in->pc);
  sim_sum_parting(exec, in->pc, jumpers);
  settle(exec, from, in->pc + 1);
  sim_sched_part_aside(exec, jumpers, ((const SimBranch *)in->more)->target);
  return true;
}

__attribute__((noinline)) static SimNext part(SimExec *exec, const SimInst *in, int32_t from) {
  if (part_aside(exec, in, from)) return run_aside(exec, in + 1);
  sim_catch_up(exec, in->pc);
  sim_advance(exec, in->pc - from);   // whoever spins is known by what was executed before
  SimNext next = in->handler(exec, in, sim_guarded(exec, in));
  exec->run_warps[from]++;
  exec->run_warps[in->pc + 1]--;
  sim_advance(exec, 1);
  bool is_short = in->aside && exec->block.left > SIM_MOST_ASIDE && !exec->block.alert;
  return next == SIM_YIELD && is_short && sim_sched_aside(exec) ? run_aside(exec, in + 1) : next;
}

static void jump(SimExec *exec, const SimInst *in, int32_t target) {
  sim_catch_up(exec, in->pc);
  exec->block.events++;
  exec->pc = target;
}

static inline bool fits(const SimExec *exec, const SimInst *in, int32_t from) {
  return in->full_run && in->full_run <= exec->block.left - (in->pc - from);
}

SimNext sim_whole_run(SimExec *exec, const SimInst *in) {
  SimNext next = SIM_GO;
  const SimInst *first = in;
  int32_t from = in->pc;
  unsigned last = SIM_STEP_OUT;
  exec->pass += SIM_PASS;
  do {
    if (in->loops) {
      sim_catch_up(exec, in->pc);
      settle(exec, from, in->pc);
      if (sim_lines_leads_to_loop(exec, in)) {
        next = sim_lines_up_to_loop(exec, in);
        if (next != SIM_GO || exec->stopping) return next;
        in = &exec->code[exec->pc];
        exec->pass += SIM_PASS;
      }
      first = in;
      from = in->pc;
      if (in->rounds && sim_lines_rounds(exec, in, in->full_run)) {
        in = first = &exec->code[exec->pc];
        from = in->pc;
        exec->pass += SIM_PASS;
        continue;
      }
    }
    in = run_members(exec, in, SIM_FULL, &next, &last);
    if (next != SIM_GO || exec->stopping) break;
    if (last != SIM_STEP_BRANCH) continue;
    Way way = way_of(exec, in);
    if (way == WAY_PARTS) return part(exec, in, from);
    sim_sum_recorded(exec, in->pc);
    if (way == WAY_ON) { in++; continue; }
    int32_t target = ((const SimBranch *)in->more)->target;
    settle(exec, from, in->pc + 1);
    if (target != from || first->full_run != in->pc + 1 - from) exec->pass += SIM_PASS;   // no loop of one line
    jump(exec, in, target);
    first = in = &exec->code[target];
    from = target;
  } while (fits(exec, in, from) && !sim_circuits_want(exec, in));
  if (next == SIM_GO) sim_catch_up(exec, in->pc);
  settle(exec, from, in->pc);
  return next;
}
