// bind.h: the arguments of a launch as parameters of the kernel.
#ifndef LS_SIM_BIND_H
#define LS_SIM_BIND_H

#include <stdbool.h>
#include "base/error.h"
#include "sim/core/memory.h"

bool sim_bind_names(SimProgram *program, LsErr *err);      // which argument is which parameter; before memory
bool sim_bind(SimProgram *program, const SimMemory *memory, LsErr *err);   // arguments into program->params

#endif
