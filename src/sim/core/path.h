// path.h: a run whose order is chosen step by step: which warp, and which lanes of it, do their next access.
//
// Only accesses to memory that others may change are chosen (shared memory, or a buffer that the kernel writes): what
// lies between two accesses is nobody else's business, and is done at once. Choices are numbered within the block, so a
// replay finds them again. Lanes that run together stay together.
#ifndef LS_SIM_PATH_H
#define LS_SIM_PATH_H

#include "sim/core/exec.h"

// Which of `count` (2 or more) goes on. where: what the choice is between, for the state.
uint32_t sim_path_choose(SimExec *exec, uint32_t count, uint32_t where);
bool sim_path_stops(SimExec *exec, const SimInst *in);    // the turn ends before this instruction
bool sim_path_is_at_access(const SimExec *exec, int warp, const SimLanes *group);
// Puts the warp that has its turn in front, for a round that is only its own. False: nobody can run, all have a turn.
bool sim_path_round(SimExec *exec);

#endif
