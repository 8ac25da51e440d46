// lanes.c: addresses, bounds, gathers and race cells of 32 lanes. Compiled once per instruction set; the loops are of a form that becomes vector code.
#include "sim/alu/lanes.h"
#include <string.h>
#include "sim/alu/alu_lanes.h"

static void addresses(const void *base, int base_bytes, uint64_t offset, uint32_t mask, uint64_t addr[32]) {
  const uint64_t *wide = base;
  const uint32_t *narrow = base;
  if (base_bytes == 8) for (int i = 0; i < 32; i++) addr[i] = wide[i] + offset;
  else if (base_bytes == 4) for (int i = 0; i < 32; i++) addr[i] = (uint32_t)(narrow[i] + (uint32_t)offset);
  else for (int i = 0; i < 32; i++) addr[i] = offset;
  if (mask == UINT32_MAX) return;
  uint64_t first = addr[__builtin_ctz(mask)];
  for (uint32_t i = 0; i < 32; i++) addr[i] = mask >> i & 1 ? addr[i] : first;
}

// Branch-free: an offset beyond the last place makes `last - offset` or the offset itself negative.
static void fit(const uint64_t addr[32], uint64_t base, uint64_t size, uint32_t width, SimFit *out) {
  uint64_t outside = 0, bits = 0, gap = 0, change = 0, last = size - width, step = width;
  for (int half = 0; half < 32; half += 16) {
    uint64_t first = addr[half];
    for (uint64_t i = 0; i < 16; i++) {
      uint64_t here = addr[(uint64_t)half + i], offset = here - base;
      outside |= offset | (last - offset);
      bits |= here;
      gap |= here ^ (first + i * step);
      change |= here ^ first;
    }
  }
  *out = (SimFit){.inside = size >= width && !(outside >> 63),
                  .aligned = !(bits & (width - 1)),
                  .half_contiguous = !gap,
                  .half_uniform = !change,
                  .halves_agree = addr[0] == addr[16],
                  .contiguous = !gap && addr[16] == addr[0] + 16 * step};
}

typedef uint32_t Word32 __attribute__((aligned(1), may_alias));
typedef uint64_t Word64 __attribute__((aligned(1), may_alias));

static void gather32(uint32_t dst[32], uintptr_t origin, const uint64_t at[32], uint32_t mask) {
  uint32_t got[32];
  for (int i = 0; i < 32; i++) got[i] = *(const Word32 *)(origin + at[i]);
  if (mask == UINT32_MAX) { memcpy(dst, got, sizeof got); return; }
  for (uint32_t i = 0; i < 32; i++) dst[i] = mask >> i & 1 ? got[i] : dst[i];
}

static void gather64(uint64_t dst[32], uintptr_t origin, const uint64_t at[32], uint32_t mask) {
  uint64_t got[32];
  for (int i = 0; i < 32; i++) got[i] = *(const Word64 *)(origin + at[i]);
  if (mask == UINT32_MAX) { memcpy(dst, got, sizeof got); return; }
  for (uint32_t i = 0; i < 32; i++) dst[i] = mask >> i & 1 ? got[i] : dst[i];
}

static bool all_written32(uintptr_t origin, const uint64_t at[32]) {
  uint32_t all = 0x01010101u;
  for (int i = 0; i < 32; i++) all &= *(const Word32 *)(origin + at[i]);
  return all == 0x01010101u;
}

// Was this word left alone by the other lanes of the warp, as far as they are not ordered?
static bool is_own(uint32_t packed, uint32_t info, uint32_t lane, const SimActor *actor) {
  return packed < actor->own_ordered || (info >> 5 & 31) == lane;
}

static uint32_t note_reads(SimCell *cells, const uint32_t *infos, const uint64_t at[32], uint32_t mask,
                           const SimActor *actor) {
  const uint32_t ordered = actor->ordered, warp = actor->writer & 31, bit = actor->warp_bit, now = actor->writer & ~31u;
  uint32_t closer = 0;
  for (; mask; mask &= mask - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(mask);
    SimCell *cell = &cells[at[i] / 4];
    bool fine = cell->writer < ordered ||
                ((cell->writer & 63) == warp && is_own(cell->writer, infos[at[i] / 4], i, actor));
    fine &= !(cell->read_epoch & SIM_CELL_MORE);
    if (!fine) { closer |= 1u << i; continue; }
    bool fresh = cell->read_epoch < ordered;
    cell->readers = (fresh ? 0 : cell->readers) | bit;
    cell->read_epoch = fresh ? now : cell->read_epoch;
    cell->reader = actor->info | i << 5;
  }
  return closer;
}

static uint32_t note_writes(SimCell *cells, uint32_t *infos, const uint64_t at[32], uint32_t mask,
                            const SimActor *actor) {
  const uint32_t ordered = actor->ordered, warp = actor->writer & 31, bit = actor->warp_bit;
  uint32_t closer = 0;
  for (uint32_t i = 0; i < 32; i++) {
    if (!(mask >> i & 1)) continue;
    SimCell *cell = &cells[at[i] / 4];
    bool no_writer = cell->writer < ordered ||
                     ((cell->writer & 63) == warp && is_own(cell->writer, infos[at[i] / 4], i, actor));
    bool no_reader = cell->read_epoch < ordered || (!(cell->readers & ~bit) && !(cell->read_epoch & SIM_CELL_MORE) &&
                                                    is_own(cell->read_epoch, cell->reader, i, actor));
    if (!no_writer || !no_reader) { closer |= 1u << i; continue; }
    cell->writer = actor->writer;
    infos[at[i] / 4] = actor->info | i << 5;
  }
  return closer;
}

const SimLaneOps ALU_NAME(sim_lane_ops);
const SimLaneOps ALU_NAME(sim_lane_ops) = {
    .addresses = addresses, .fit = fit, .gather32 = gather32, .gather64 = gather64,
    .all_written32 = all_written32, .note_reads = note_reads, .note_writes = note_writes};
