// barrier.h: who has come to a barrier of the block, and whether all have.
#ifndef LS_SIM_BARRIER_H
#define LS_SIM_BARRIER_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

SimBarrier *sim_barrier_use(SimExec *exec, int id);        // somebody comes to it
void sim_barrier_arrive(SimExec *exec, SimBarrier *barrier, uint32_t lanes);   // of the running warp
void sim_barrier_end(SimExec *exec, int id);               // all have come
void sim_barriers_settle(SimExec *exec);                   // lanes of the running warp have ended
uint32_t sim_barrier_threads(const SimBarrier *barrier);   // that have come
bool sim_barrier_is_complete(const SimExec *exec, const SimBarrier *barrier);
// Into event: how many warps have arrived and are expected, and whether this is the last one.
void sim_barrier_count(const SimExec *exec, const SimBarrier *barrier, TraceEvent *event);

#endif
