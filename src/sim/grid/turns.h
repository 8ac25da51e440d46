// turns.h: instructions of a group of lanes, turns of groups and warps.
#ifndef LS_SIM_TURNS_H
#define LS_SIM_TURNS_H

#include <stdbool.h>
#include "sim/core/exec.h"

// Runs the current block until it ends, the replay's stop, or a fatal fault or cancel (exec->stopping). True if ended.
bool sim_block_go(SimExec *exec);
void sim_poll(SimExec *exec);                              // cancel and progress

// Nothing but a race, which is a fault, would show in which order warps of a block run.
bool sim_may_hasten(const SimExec *exec);

#endif
