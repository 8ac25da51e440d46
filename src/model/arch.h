// arch.h: what a device's multiprocessor (SM) can hold, from G80 to Blackwell: one row of arch.def each.
#ifndef LS_MODEL_ARCH_H
#define LS_MODEL_ARCH_H

#include <stdbool.h>

#include "base/text.h"

typedef struct ArchProfile {
  const char *name, *title;      // "h200", "NVIDIA H200"
  int cc_major, cc_minor;        // compute capability
  int sm_count, warps_per_sm, blocks_per_sm, threads_per_block;
  int regs_per_sm, regs_per_thread, reg_unit;    // reg_unit: registers a warp takes at a time (or a block, before 2.0)
  int shared_per_sm, shared_per_block, shared_unit, shared_reserved;  // bytes; per_block with opt-in
  int banks, schedulers;         // schedulers: also the partitions of the register file
  double bandwidth_gbs, fp32_tflops;
} ArchProfile;

const ArchProfile *arch_find(const char *name);        // case does not matter; NULL if unknown
// What arch_find("gpu") finds: the GPU of this machine. Borrowed for the rest of the program; NULL: nothing.
void arch_set_here(const ArchProfile *profile);
const ArchProfile *arch_all(int *count);               // oldest first

// A device that no table knows travels with what was made on it, as lines of "name=value".
bool arch_is_row(const ArchProfile *profile);
void arch_print(const ArchProfile *profile, LsText *out);
// Reads them, and keeps the profile for the rest of the program: arch_find finds it by the name that it gets here. The same profile
// as one that is there is that one. NULL: it is none, or there are too many.
const ArchProfile *arch_adopt(const char *text);

#endif
