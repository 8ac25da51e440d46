// meet.h: lanes of a warp that meet on a member mask.
#ifndef LS_SIM_MEET_H
#define LS_SIM_MEET_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

// The lanes that do the operation together, or 0 if they are not all there yet (*next says how to go on).
uint32_t sim_gather_members(SimExec *exec, const SimWarpOp *op, uint32_t mask, SimNext *next);
uint32_t sim_members_of(SimExec *exec, const SimWarpOp *op, uint32_t lane);
void sim_sync_recheck(SimExec *exec, SimWarp *warp);       // after lanes ended
bool sim_sync_force(SimExec *exec);                        // a deadlock of members: tells it and lets one group go

#endif
