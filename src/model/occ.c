// occ.c: occupancy from the four limits.
#include "model/occ.h"
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/mem.h"

enum { WARP = 32 };

static int64_t round_up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

const char *occ_limit_name(OccLimit limit) {
  static const char *const names[] = {"warps", "blocks", "registers", "shared memory", "impossible"};
  return (unsigned)limit < (unsigned)LS_COUNT(names) ? names[limit] : "";
}

// Before 2.0 a block takes registers as a whole, for an even number of warps.
static int blocks_by_regs_old(const ArchProfile *arch, int warps, int regs, Occupancy *out) {
  int64_t taken = round_up(round_up(warps, 2) * WARP * regs, arch->reg_unit);
  out->regs_per_block = (int)taken;
  return (int)(arch->regs_per_sm / taken);
}

// Blocks for which the partitions of a register file have room. The device also refuses a block that would not fit if
// its warps were spread evenly over all partitions.
static int blocks_in_partitions(const ArchProfile *arch, int warps, int64_t per_warp, int partitions) {
  if (per_warp * round_up(warps, partitions) > arch->regs_per_sm) return 0;
  return (int)(arch->regs_per_sm / partitions / per_warp * partitions / warps);
}

// Since 2.0 a warp takes registers from the partition of the scheduler that it belongs to. GP100 (6.0) has two of them,
// but takes no block that its relatives with four could not run.
static int blocks_by_regs(const ArchProfile *arch, int warps, int regs, Occupancy *out) {
  if (regs == 0) return INT_MAX;
  if (regs > arch->regs_per_thread) return 0;
  if (arch->cc_major < 2) return blocks_by_regs_old(arch, warps, regs, out);
  int64_t per_warp = round_up((int64_t)regs * WARP, arch->reg_unit);
  out->regs_per_block = (int)(per_warp * warps);
  bool is_gp100 = arch->cc_major == 6 && arch->cc_minor == 0;
  if (is_gp100 && blocks_in_partitions(arch, warps, per_warp, 4) == 0) return 0;
  return blocks_in_partitions(arch, warps, per_warp, arch->schedulers);
}

static int blocks_by_shared(const ArchProfile *arch, int shared, Occupancy *out) {
  int64_t taken = round_up((int64_t)shared + arch->shared_reserved, arch->shared_unit);
  if (taken > (int64_t)arch->shared_per_block + arch->shared_reserved) return 0;
  out->shared_per_block = (int)taken;
  return taken ? (int)(arch->shared_per_sm / taken) : INT_MAX;
}

void occ_compute(const ArchProfile *arch, int threads_per_block, int regs_per_thread, int shared_per_block,
                 Occupancy *out) {
  *out = (Occupancy){.max_warps = arch->warps_per_sm, .limit = OCC_IMPOSSIBLE, .by_blocks = arch->blocks_per_sm};
  if (threads_per_block <= 0 || threads_per_block > arch->threads_per_block) return;
  if (regs_per_thread < 0 || shared_per_block < 0) return;
  int warps = (threads_per_block + WARP - 1) / WARP;
  out->by_warps = arch->warps_per_sm / warps;
  out->by_regs = blocks_by_regs(arch, warps, regs_per_thread, out);
  out->by_shared = blocks_by_shared(arch, shared_per_block, out);
  const int by[] = {out->by_warps, out->by_blocks, out->by_regs, out->by_shared};
  int least = 0;
  for (int i = 1; i < LS_COUNT(by); i++)
    if (by[i] < by[least]) least = i;
  out->blocks = by[least];
  out->warps = out->blocks * warps;
  out->fraction = (double)out->warps / out->max_warps;
  out->limit = out->blocks ? (OccLimit)least : OCC_IMPOSSIBLE;
}

void occ_file(const ArchProfile *arch, int threads_per_block, int regs_per_thread, OccFile *out) {
  *out = (OccFile){.partitions = 1, .partition_regs = arch->regs_per_sm, .rounded = regs_per_thread};
  if (arch->cc_major < 2 || threads_per_block <= 0 || regs_per_thread < 0) return;
  out->partitions = arch->schedulers;
  out->partition_regs = arch->regs_per_sm / arch->schedulers;
  out->per_warp = (int)round_up((int64_t)regs_per_thread * WARP, arch->reg_unit);
  out->rounded = out->per_warp / WARP;
  if (out->per_warp) out->warps_per_partition = out->partition_regs / out->per_warp;
}
