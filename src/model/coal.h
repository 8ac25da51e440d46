// coal.h: coalescing: which lines and sectors of memory the request of a warp touches.
//
//   line of 128 bytes  |  sector 0  |  sector 1  |  sector 2  |  sector 3  |     a sector is 32 bytes
//
// The unit that moves is the sector (Volta and later, and Kepler loads that skip L1); Fermi moved whole lines.
// Every active lane wants `width` bytes from its address on. An aligned access lies in one sector; a misaligned one
// may need two. Source: CUDA Programming Guide, device memory accesses; Nsight Compute counts sectors the same way.
#ifndef LS_MODEL_COAL_H
#define LS_MODEL_COAL_H

#include "trace/trace.h"

typedef enum CoalModel { COAL_SECTORS_32, COAL_LINES_128 } CoalModel;

enum { COAL_SECTOR = 32, COAL_LINE = 128, COAL_MAX_WIDTH = 32 };
// 32 lanes with 32 bytes each, where local memory puts every 4-byte word of a lane on a line of its own.
enum { COAL_MAX_LINES = 32 * 9 };

typedef struct CoalLine {
  uint64_t base;           // of the 128-byte line
  uint8_t sectors;         // bit per 32-byte sector touched
  uint8_t used[16];        // bit per byte wanted
  uint32_t lanes[4];       // lanes touching each sector
} CoalLine;
typedef struct Coalescing {
  int line_count;          // 128-byte lines touched, ascending
  CoalLine lines[COAL_MAX_LINES];
  int sectors;             // distinct 32-byte sectors
  int bytes_used;          // distinct bytes wanted
  int bytes_moved;         // sectors * 32, or lines * 128 in the Fermi view
  int ideal_sectors;       // the least for as many distinct bytes
  int alignment;           // bytes by which the lowest address is off a sector
} Coalescing;
// Local addresses are offsets in the memory of a thread; the picture is of the interleaved whole (see below).
void coal_analyze(const TraceEvent *event, CoalModel model, Coalescing *out);

// Whether all 32 lanes follow one another without gaps.
static inline bool coal_is_consecutive(int width, const uint64_t addr[32]) {
  uint64_t off = 0;
  for (uint64_t i = 0; i < 32; i++) off |= addr[i] ^ (addr[0] + i * (uint64_t)width);
  return off == 0;
}

// The hot path of the counters: distinct sectors, and distinct bytes in *bytes.
int coal_measure(uint32_t mask, int width, const uint64_t addr[32], int *bytes);

// Local memory is interleaved by 4-byte word: word j of all lanes is one line, lane i has bytes 4i to 4i+3 of it.
int coal_local_sectors(uint32_t mask, int width, const uint64_t addr[32]);

// Sectors of an atomic or reduction in global memory: lanes with the same address take turns, and every turn is a sector
// of its own, so that a sector counts as often as its longest queue is long. *distinct: addresses, which are queues.
// As Nsight Compute counts on an H200; where the assembler adds up a warp's values first, hardware sees fewer.
int coal_atomic_sectors(uint32_t mask, const uint64_t addr[32], int *distinct);

// Distinct addresses among the lanes: passes of a constant load.
int coal_distinct(uint32_t mask, const uint64_t addr[32]);

// How the addresses of a request follow one another from lane to lane.
typedef enum CoalShape {
  COAL_UNIFORM,            // one address for all
  COAL_CONSECUTIVE,        // lane after lane, without gaps
  COAL_STRIDED,            // a constant distance from lane to lane, of either sign
  COAL_PERMUTED,           // consecutive as a set, but not in lane order; the stride is -width if it is reversed
  COAL_SCATTERED,
} CoalShape;
CoalShape coal_shape(uint32_t mask, int width, const uint64_t addr[32], int64_t *stride);   // bytes from lane to lane

#endif
