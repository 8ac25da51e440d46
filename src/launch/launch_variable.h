// launch_variable.h: contents of variables of the module, as settle.c needs them.
#ifndef LS_LAUNCH_VARIABLE_H
#define LS_LAUNCH_VARIABLE_H

#include "launch/launch.h"
#include "ptx/debuginfo.h"

bool launch_is_variable(const PtxVar *var);   // __device__ or __constant__, and not the compiler's own
// Type, size and bytes of an argument that is one; a pointer's buffer is appended to the launch.
bool launch_settle_variable(const PtxModule *module, Launch *launch, int index, LsText *notes, LsErr *err);

#endif
