// cuda_link.h: kernels that launch kernels, linked by the driver to NVIDIA's device runtime (libcudadevrt.a): the CUDA
// Toolkit has it, the driver has not.
#ifndef LS_DEVICE_CUDA_LINK_H
#define LS_DEVICE_CUDA_LINK_H

#include "device/cuda/driver.h"
#include "ptx/module.h"

// Whether the module calls the device runtime.
bool cuda_link_is_needed(const PtxModule *module);
// The device runtime: LANESCOPE_CUDADEVRT if it is set; else where CUDA_HOME, CUDA_PATH or CONDA_PREFIX, nvcc in
// PATH, or
// the usual places and Python's packages have it. Caller frees; NULL: it is not on this machine (LS_EENV, with where
// it was
// looked for).
char *cuda_link_library(LsErr *err);
// As driver->module_load; options are the compiler's. *what is what was tried last.
int cuda_link_load(const Driver *driver, void **module, const char *ptx, const char *library, unsigned count,
                   int *options, void **values, const char **what);

#endif
