// call.h: calls, and the functions that the emulator itself has.
#ifndef LS_SIM_CALL_H
#define LS_SIM_CALL_H

#include <stdint.h>
#include "sim/core/exec.h"

int32_t sim_call_site(SimExec *exec, uint32_t lane);   // of the function that the running group is in; -1: of none
SimNext sim_exec_return(SimExec *exec, const SimInst *inst, uint32_t mask);
void sim_printf(SimExec *exec, const SimCall *call, uint32_t mask);
void sim_assert(SimExec *exec, const SimCall *call, uint32_t mask);   // fatal
void sim_heap_call(SimExec *exec, const SimCall *call, uint32_t mask);   // malloc, free
// Functions of libdevice by name and parameters, and a call of one: their results.
bool sim_libdevice_has(const PtxFunc *func);
void sim_libdevice(SimExec *exec, const SimCall *call, uint32_t mask);

#endif
