// cuda_context.h: the connection to a GPU, which a process that gets one run after the other keeps in between.
#ifndef LS_DEVICE_CUDA_CONTEXT_H
#define LS_DEVICE_CUDA_CONTEXT_H

#include "device/cuda/gpu.h"

// The one that was kept, or a new one; it is current then. NULL: failed.
void *cuda_context_take(const Driver *driver, const GpuFacts *facts, LsErr *err);
// Gives it back, or keeps it for the next run of this process. context NULL is fine.
void cuda_context_give(const Driver *driver, const GpuFacts *facts, void *context, bool keep);

#endif
