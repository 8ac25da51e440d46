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
uint64_t sim_heap_call_take(SimExec *exec, uint32_t lane, uint64_t size, uint64_t align); // by another name; 0: no room
void sim_heap_call_free(SimExec *exec, uint32_t lane, uint64_t address);
// Functions of the device runtime by name and parameters (device_runtime.def), -1: none that is known; and a call of
// one.
int sim_device_function(const PtxFunc *func);
void sim_device_call(SimExec *exec, const SimCall *call, uint32_t mask);
void sim_device_texts(uint8_t *out, size_t size);          // what errors are called
// Functions of libdevice by name and parameters, and a call of one: their results.
bool sim_libdevice_has(const PtxFunc *func);
void sim_libdevice(SimExec *exec, const SimCall *call, uint32_t mask);

#endif
