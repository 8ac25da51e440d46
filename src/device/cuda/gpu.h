// gpu.h: what a GPU says about itself, whether it can run a kernel, and the profile made from it.
#ifndef LS_DEVICE_GPU_H
#define LS_DEVICE_GPU_H

#include "base/text.h"
#include "device/cuda/driver.h"
#include "model/arch.h"
#include "ptx/module.h"

typedef struct GpuFacts {
  char name[128];                // "NVIDIA H200"
  int ordinal, handle;           // in the order of CUDA_VISIBLE_DEVICES; handle: the driver's number for it
  uint64_t memory_bytes;
#define GPU_FACT(member, ...) int member;
#include "device/cuda/gpu.def"
#undef GPU_FACT
} GpuFacts;

// What a driver does not know about a GPU is 0. False if there is no such GPU.
bool gpu_read(const Driver *driver, int ordinal, GpuFacts *facts, LsErr *err);
// The first GPU; says what to do where there is none.
bool gpu_first(const Driver *driver, GpuFacts *facts, LsErr *err);

// False if programs may not use the GPU at all (compute mode, or older than compute capability 7.0).
bool gpu_is_open(const GpuFacts *facts, LsErr *err);
// False if the module is for other GPUs (.target).
bool gpu_takes(const GpuFacts *facts, const PtxModule *module, LsErr *err);
// The same, but true for a module that is for later GPUs in general: it may need nothing that is new there (cuda_label.h).
bool gpu_may_take(const GpuFacts *facts, const PtxModule *module, LsErr *err);

double gpu_bandwidth_gbs(const GpuFacts *facts);   // of its memory, from clock and width; 0: not known
// The row of arch.def that is this GPU, or a row called "gpu" made from its attributes. *made backs the latter, whose title
// is facts->name.
const ArchProfile *gpu_profile(const GpuFacts *facts, ArchProfile *made);

// The GPUs that the driver of this machine shows. False, with the reason, if there is none. The caller frees list->gpus.
typedef struct GpuList {
  char driver[64];               // as driver_describe
  int newest_ptx;                // as driver_newest_ptx
  GpuFacts *gpus;
  int count;
} GpuList;
bool gpu_list(GpuList *list, LsErr *err);
// The profile of this machine's first GPU, which arch_find("gpu") finds from now on. NULL: there is none.
const ArchProfile *gpu_profile_here(LsErr *err);

// Several lines for a person, each ended by a newline.
void gpu_describe(const GpuFacts *facts, LsText *out);

#endif
