// heap_check.h: faults of who uses the device heap: accesses outside of what is taken, and frees of anything else.
#ifndef LS_SIM_HEAP_CHECK_H
#define LS_SIM_HEAP_CHECK_H

#include "sim/core/exec.h"

// Lanes of an access that are all inside the heap, addresses in exec->addr. Like a device, the run goes on.
void sim_heap_check(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space);
void sim_heap_bad_free(SimExec *exec, uint32_t lane, uint64_t address);

#endif
