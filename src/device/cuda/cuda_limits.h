// cuda_limits.h: how much memory a context sets aside for what kernels print, and for the stacks of recursive functions.
#ifndef LS_DEVICE_CUDA_LIMITS_H
#define LS_DEVICE_CUDA_LIMITS_H

#include "device/cuda/gpu.h"

// Of the current context, before its first launch. What a driver refuses stays as it was.
//
// What does not fit into the buffer of printf overwrites the first lines; the driver's own megabyte is little. Stacks of functions whose
// depth nobody knows are 1 KB a thread by themselves, which instrumented code needs a part of; with recursion they get as much as the
// emulator gives, if that is no large part of the GPU's memory.
void cuda_limits(const Driver *driver, const GpuFacts *facts, const PtxModule *module);

#endif
