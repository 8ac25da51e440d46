// spin.h: lanes that go round for ever, and lanes that have to be let go because of them.
#ifndef LS_SIM_SPIN_H
#define LS_SIM_SPIN_H

#include <stdint.h>
#include "sim/core/exec.h"

void sim_spin_branch(SimExec *exec);                       // while alert: a jump back
void sim_spin_turn_look(SimExec *exec);                    // a turn starts, after others that were used up
void sim_spin_turn_judge(SimExec *exec);                   // a turn ends, after others, or one that was watched
void sim_spin_round_start(SimExec *exec);
void sim_spin_round_end(SimExec *exec);                    // a livelock is told here
uint64_t sim_spin_first(const SimProgram *program);        // turns in which nothing happens before everybody is watched

static inline void sim_spin_turn_start(SimExec *exec) { if (exec->warp->turns) sim_spin_turn_look(exec); }

static inline void sim_spin_turn_end(SimExec *exec) {
  if (exec->warp->turns || exec->block.watching_warp) sim_spin_turn_judge(exec);
  else exec->warp->strong_turns = 0;
}

#endif
