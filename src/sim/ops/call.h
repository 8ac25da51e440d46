// call.h: calls, and the functions that the emulator itself has.
#ifndef LS_SIM_CALL_H
#define LS_SIM_CALL_H

#include <stdint.h>
#include "sim/core/exec.h"

SimNext sim_exec_return(SimExec *exec, const SimInst *inst, uint32_t mask);
void sim_printf(SimExec *exec, const SimCall *call, uint32_t mask);
void sim_assert(SimExec *exec, const SimCall *call, uint32_t mask);   // fatal

#endif
