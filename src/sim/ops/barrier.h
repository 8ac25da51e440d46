// barrier.h: barriers of the block, and barrier objects in shared memory.
#ifndef LS_SIM_OPS_BARRIER_H
#define LS_SIM_OPS_BARRIER_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/decode/decode.h"
#include "sim/core/exec.h"

bool sim_barrier_check(SimExec *exec, int id);             // releases the barrier if all are there
void sim_barriers_recheck(SimExec *exec);                  // after lanes ended

// ---- exec_mbarrier.c -----------------------------------------------------------------------------------------------
uint64_t sim_mbarrier_change(int op, uint64_t old, uint64_t value);
void sim_mbarrier_phases(SimExec *exec, int op, uint32_t mask);   // after an operation: copies whose phase it has ended
void sim_mbarrier_access(SimDecoder *d, SimMem *mem, int op, const PtxOperand *address, uint32_t operand);

#endif
