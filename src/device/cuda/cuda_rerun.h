// cuda_rerun.h: a kernel that stopped with a fault, run once more in a process of its own, to see where it was.
//
// A fault takes the GPU away from the process that launched the kernel, for good: cuda.h says of such errors that "the process must be
// terminated and relaunched". So a second lanescope runs the instrumented kernel alone, with its records in memory of the host,
// which outlives the fault, and sends what it told. Memory lies elsewhere there, and is moved to where it lies here.
#ifndef LS_DEVICE_CUDA_AGAIN_H
#define LS_DEVICE_CUDA_AGAIN_H

#include "device/cuda/cuda_fault.h"
#include "device/device.h"

// Tells the finder. request: of the run that stopped, whose process has given the GPU back, since it may be one that only one
// process can use. seconds: how long to wait. *output: what the kernel printed, caller frees. False: nothing, or not all, was told.
bool cuda_again(const DevRequest *request, double seconds, CudaFinder *finder, char **output, LsErr *err);

#endif
