// circuits.h: a loop of several lines, many rounds at once, once a warp has gone one round of it: see
// analysis/circuits.c.
#ifndef LS_SIM_GRID_CIRCUITS_H
#define LS_SIM_GRID_CIRCUITS_H

#include "sim/core/circuit.h"
#include "sim/core/exec.h"

// A group of lanes takes up its slice: it goes on from where it was on a way, or is on none.
void sim_circuits_start(SimExec *exec);
void sim_circuits_leave(SimExec *exec);   // its turn is used up
// At a head. True: rounds were executed, and the program counter moved, if not back to where it was.
bool sim_circuits_at(SimExec *exec, const SimInst *head);
// What was executed since the program counter stood at `in`.
void sim_circuits_follow(SimExec *exec, const SimInst *in, uint64_t before);

static inline bool sim_circuits_are_on(const SimExec *exec) {
  return exec->circuits && exec->active == SIM_FULL && !exec->takes_turns;
}

static inline bool sim_circuits_follows(const SimExec *exec) { return exec->circuits->trail.head >= 0; }

// A head that lines may not go past without a look.
static inline bool sim_circuits_want(const SimExec *exec, const SimInst *in) {
  return in->heads && exec->circuits && exec->circuits->heads[in->pc].state != SIM_HEAD_HOPELESS;
}

#endif
