// cuda_wait.h: a kernel that does nothing for some microseconds.
//
// What is put into the GPU's queue behind it begins without waiting for the host. A clock that starts there measures the kernel, and
// not how long the host takes to launch it, which is longer than many small kernels.
#ifndef LS_DEVICE_CUDA_WAIT_H
#define LS_DEVICE_CUDA_WAIT_H

#include "device/cuda/driver.h"

typedef struct CudaWait {
  const Driver *driver;          // borrowed
  void *module, *function;       // NULL: not loaded, and cuda_wait does nothing
} CudaWait;

void cuda_wait_load(CudaWait *wait, const Driver *driver);   // a context is current
void cuda_wait(const CudaWait *wait);
void cuda_wait_free(CudaWait *wait);                         // fine if not loaded

#endif
