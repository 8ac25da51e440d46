// lanes.h: the inner loops of memory accesses over 32 lanes, compiled once per instruction set like the arithmetic.
//
// Lanes that take no part have the address of the first lane that does, so that loops need not ask for the mask.
#ifndef LS_SIM_LANES_H
#define LS_SIM_LANES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct SimFit {    // how 32 addresses lie in a piece of memory
  bool inside, aligned;    // all accesses are inside it; all addresses are multiples of the width
  bool contiguous;         // lane i's is lane 0's plus i times the width
  bool half_contiguous;    // the same within lanes 0-15 and within lanes 16-31
  bool half_uniform;       // one address for lanes 0-15 and one for lanes 16-31
  bool halves_agree;       // lanes 16-31 start where lanes 0-15 do
} SimFit;

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
  uint32_t own_ordered;    // and those of its own lanes below this
  uint32_t warp_bit;
  uint32_t info;           // pc << 10 | warp
} SimActor;

typedef struct SimLaneOps {
  void (*addresses)(const void *base, int base_bytes, uint64_t offset, uint32_t mask, uint64_t addr[32]);
  void (*fit)(const uint64_t addr[32], uint64_t base, uint64_t size, uint32_t width, SimFit *out);
  // What lane i wants is at origin + at[i]; an origin is a number, since it need not lie in the memory itself.
  void (*gather32)(uint32_t dst[32], uintptr_t origin, const uint64_t at[32], uint32_t mask);
  void (*gather64)(uint64_t dst[32], uintptr_t origin, const uint64_t at[32], uint32_t mask);
  bool (*all_written32)(uintptr_t origin, const uint64_t at[32]);    // 4 bytes at each place are 1
  // Notes weak accesses (infos, per word: pc << 10 | lane << 5 | warp of the last write) to whole words; the lanes that
  // need a closer look come back and are not noted.
  uint32_t (*note_reads)(SimCell *cells, const uint32_t *infos, const uint64_t at[32], uint32_t mask,
                         const SimActor *actor);
  uint32_t (*note_writes)(SimCell *cells, uint32_t *infos, const uint64_t at[32], uint32_t mask, const SimActor *actor);
} SimLaneOps;

const SimLaneOps *sim_lane_ops(void);   // the best for this machine, see sim_alu_isa

#endif
