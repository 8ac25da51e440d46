// assemble.h: how many registers NVIDIA's assembler gives a thread of a kernel, where ptxas is installed.
#ifndef LS_DEVICE_ASSEMBLE_H
#define LS_DEVICE_ASSEMBLE_H

#include "device/device.h"

// Registers of a thread of `kernel` (plain name) for a compute capability (90: 9.0). 0: ptxas is not here, or does not know that
// device any more, or the kernel needs more than it has; or it was canceled. Tens of milliseconds and more: not for the thread of
// the screen. What was found is kept in $XDG_CACHE_HOME/lanescope.
int assemble_registers(const char *ptx, size_t length, const char *kernel, int cc, const _Atomic bool *cancel);

#endif
