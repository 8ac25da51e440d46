// occ.h: occupancy: how many blocks of a kernel an SM holds at once, and what stops it from holding more.
//
// Each of four resources allows some number of blocks: warp slots, block slots, registers, shared memory. The least
// of them is the answer. Registers and shared memory are handed out in units, so sizes are rounded up first: that is
// why 34 registers per thread cost as much as 40.
#ifndef LS_MODEL_OCC_H
#define LS_MODEL_OCC_H

#include "model/arch.h"

typedef enum OccLimit { OCC_WARPS, OCC_BLOCKS, OCC_REGS, OCC_SHARED, OCC_IMPOSSIBLE } OccLimit;
const char *occ_limit_name(OccLimit limit);            // "warps", "blocks", "registers", "shared memory", "impossible"

typedef struct Occupancy {
  int blocks, warps, max_warps; double fraction;
  OccLimit limit;                                      // the first of the least ones; IMPOSSIBLE: no block fits
  int by_warps, by_blocks, by_regs, by_shared;         // blocks that each limit alone would allow; INT_MAX: no limit
  int regs_per_block, shared_per_block;                // really taken, after rounding
} Occupancy;
// Agrees with cuda_occupancy.h where that knows the device; older ones follow NVIDIA's occupancy calculator.
void occ_compute(const ArchProfile *arch, int threads_per_block, int regs_per_thread, int shared_per_block,
                 Occupancy *out);

// How the register file is cut up: since 2.0 a warp takes its registers from the partition of its scheduler, so that what
// is left in several partitions does not add up to room for a warp.
typedef struct OccFile {
  int partitions, partition_regs;
  int per_warp;               // taken by a warp, after rounding; 0: before 2.0, where a block takes them as a whole
  int rounded;                // registers of a thread that this is
  int warps_per_partition;    // that it has room for
} OccFile;
void occ_file(const ArchProfile *arch, int threads_per_block, int regs_per_thread, OccFile *out);

#endif
