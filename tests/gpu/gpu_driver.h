// gpu_driver.h: a kernel on a real NVIDIA GPU, through the driver's own compiler (libcuda.so.1, opened at run time).
//
// One buffer of the device is cut into pieces for every launch. Memory that is mapped on demand is not used.
#ifndef LS_TESTS_GPU_DRIVER_H
#define LS_TESTS_GPU_DRIVER_H

#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"
#include "launch/launch.h"

typedef struct Gpu Gpu;
typedef struct GpuModule GpuModule;   // CUmodule

// The first GPU. NULL with a sentence in err if there is no driver or no GPU.
Gpu *gpu_open(LsErr *err);
void gpu_close(Gpu *gpu);                      // NULL is fine
const char *gpu_name(const Gpu *gpu);          // "NVIDIA H200, compute capability 9.0, driver for CUDA 13.0"

// Compiles a PTX text. level: optimization of the driver's compiler, 0 to 4. The compiler's own words are in err.
GpuModule *gpu_load(Gpu *gpu, const char *ptx, int level, LsErr *err);
void gpu_unload(Gpu *gpu, GpuModule *module);  // NULL is fine

// After a kernel that ended in an error nothing works any more: begins anew. All modules are gone.
bool gpu_restart(Gpu *gpu, LsErr *err);

// Runs an entry to its end. buffers[i] holds the bytes of argument i before the run and gets those after it; NULL for
// a scalar. Arguments stand in the order of the parameters. A texture or surface is made for each argument that is one; the
// textures of an entry whose name begins with index_ lie in linear memory, as tex1Dfetch needs it.
// *nanoseconds (may be NULL): how long the kernel took.
bool gpu_run(Gpu *gpu, GpuModule *module, const char *entry, const Launch *launch, uint8_t *const *buffers,
             const uint64_t *sizes, uint64_t *nanoseconds, LsErr *err);

#endif
