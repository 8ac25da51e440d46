// lanes.h: the inner loops of memory accesses over 32 lanes, compiled once per instruction set like the arithmetic.
//
// Lanes that take no part have the address of the first lane that does, so that loops need not ask for the mask.
#ifndef LS_SIM_LANES_H
#define LS_SIM_LANES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct SimRange {
  uint64_t low, high;      // least and greatest address
  uint64_t bits;           // all addresses or-ed: alignment
  uint64_t stride;         // if affine: from lane to lane
  bool affine;             // addr[i] = addr[0] + i * stride
} SimRange;

// What is remembered of a word of shared memory (shadow.c). Epochs and warps are packed: epoch << 6 | flag << 5 | warp.
// The flag says that there is more to know in the slow half of the cell: single bytes, or strong accesses.
typedef struct SimCell {
  uint32_t writer;         // packed; 0: never written
  uint32_t read_epoch;     // packed without warp: epoch of the first of the reads in `readers`; 0: never read
  uint32_t readers;        // warps
  uint32_t reader;         // of the last read: pc << 10 | lane << 5 | warp
} SimCell;
enum { SIM_CELL_MORE = 1 << 5, SIM_CELL_SHIFT = 6 };

typedef struct SimActor {  // the warp that accesses, and what is ordered before
  uint32_t writer;         // what it packs as
  uint32_t ordered;        // packed writers below this are ordered before it
  uint32_t warp_bit;
  uint32_t info;           // pc << 10 | warp
} SimActor;

typedef struct SimLaneOps {
  void (*addresses)(const void *base, int base_bytes, uint64_t offset, uint32_t mask, uint64_t addr[32]);
  void (*range)(const uint64_t addr[32], SimRange *out);
  void (*offsets)(const uint64_t addr[32], uint64_t base, uint64_t stride, uint64_t at[32]);
  void (*gather32)(uint32_t dst[32], const uint8_t *bytes, const uint64_t at[32], uint32_t mask);
  void (*gather64)(uint64_t dst[32], const uint8_t *bytes, const uint64_t at[32], uint32_t mask);
  bool (*all_written32)(const uint8_t *init, const uint64_t at[32]);    // 4 bytes at each place
  // Notes weak accesses (infos, per word: pc << 10 | lane << 5 | warp of the last write) to whole words; the lanes that need a closer look come back and are not noted.
  uint32_t (*note_reads)(SimCell *cells, const uint64_t at[32], uint32_t mask, const SimActor *actor);
  uint32_t (*note_writes)(SimCell *cells, uint32_t *infos, const uint64_t at[32], uint32_t mask, const SimActor *actor);
} SimLaneOps;

const SimLaneOps *sim_lane_ops(void);   // the best for this machine, see sim_alu_isa

#endif
