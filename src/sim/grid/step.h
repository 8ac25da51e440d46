// step.h: instructions one by one, or in lines whose instructions may have to be told; how all are counted.
#ifndef LS_SIM_GRID_STEP_H
#define LS_SIM_GRID_STEP_H

#include <stdbool.h>
#include "sim/core/exec.h"

SimNext sim_step_one(SimExec *exec, const SimInst *in);
// A straight line, up to an access or a branch if these are not to be part of it: `mixed`. SIM_GO, or what an access or
// a branch says.
SimNext sim_step_line(SimExec *exec, const SimInst *line, bool mixed);
// Instructions from here on, up to n, whose events nobody wants to see one by one. Lanes that are apart take turns in
// front of everything but arithmetic, and with a seed they may meet there: `mixed` is false.
int sim_step_quiet(const SimExec *exec, const SimInst *line, int n, bool mixed);

// Straight lines are counted where they start and end; sums over these differences count every instruction.
static inline void sim_count_lines(SimExec *exec, int32_t pc, int n, int64_t times) {
  exec->run_warps[pc] += times;
  exec->run_warps[pc + n] -= times;
  if (exec->active_count < SIM_LANES) {
    exec->run_missing[pc] += (SIM_LANES - exec->active_count) * times;
    exec->run_missing[pc + n] -= (SIM_LANES - exec->active_count) * times;
  }
  if (!exec->partial) return;
  exec->run_partial[pc] += times;
  exec->run_partial[pc + n] -= times;
}

static inline void sim_count_line(SimExec *exec, int32_t pc, int n) { sim_count_lines(exec, pc, n, 1); }

static inline void sim_advance(SimExec *exec, int n) {
  SimBlock *b = &exec->block;
  b->left -= n;
  b->slice -= n;
  b->executed += (uint64_t)n;
}

static inline bool sim_must_stop(const SimExec *exec) {
  return exec->stopping || (exec->hooks && exec->block.events >= exec->hooks->stop_at);
}

static inline uint32_t sim_guarded(const SimExec *exec, const SimInst *in) {
  if (in->guard == SIM_NO_SLOT) return exec->active;
  uint32_t p = sim_pred(exec->regs, in->guard);
  return exec->active & (in->guard_negate ? ~p : p);
}

// Of a line that is executed as one (lines.c).
static inline void sim_end_pass(SimExec *exec) { exec->own_pass->end = 0; }

#endif
