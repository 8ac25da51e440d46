// lanes.h: the inner loops of memory accesses over 32 lanes, compiled once per instruction set like the arithmetic.
//
// Lanes that take no part have the address of the first lane that does, so that loops need not ask for the mask.
#ifndef LS_SIM_LANES_H
#define LS_SIM_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct SimFit {    // how 32 addresses lie in a piece of memory
  bool inside, aligned;    // all accesses are inside it; all addresses are multiples of the width
  bool contiguous;         // lane i's is lane 0's plus i times the width
  bool half_contiguous;    // the same within lanes 0-15 and within lanes 16-31
  bool half_uniform;       // one address for lanes 0-15 and one for lanes 16-31
  bool halves_agree;       // lanes 16-31 start where lanes 0-15 do
} SimFit;

// What is remembered of each word of shared memory (shadow.c), in a column for each kind of number, so that words in
// a row
// are looked at together. Epochs and warps are packed: epoch << 6 | flag << 5 | warp. The flag says that there is
// more to
// know in the slow half of the cell: single bytes, or strong accesses.
typedef struct SimCells {
  uint32_t *writer;        // packed; 0: never written
  uint32_t *read_epoch;    // packed without warp: epoch of the first of the reads in `readers`; 0: never read
  uint32_t *readers;       // warps
  uint32_t *reader;        // of the last read: pc << 10 | lane << 5 | warp
  uint32_t *info;          // of the last weak write: the same
} SimCells;
enum { SIM_CELL_MORE = 1 << 5, SIM_CELL_SHIFT = 6 };

typedef struct SimActor {  // the warp that accesses, and what is ordered before
  uint32_t writer;         // what it packs as
  uint32_t ordered;        // packed writers below this are ordered before it
  uint32_t own_ordered;    // and those of its own lanes below this
  uint32_t warp_bit;
  uint32_t info;           // pc << 10 | warp
} SimActor;

// Was this word left alone by the other lanes of the warp, as far as they are not ordered?
static inline bool sim_cell_is_own(uint32_t packed, uint32_t info, uint32_t lane, const SimActor *actor) {
  return packed < actor->own_ordered || (info >> 5 & 31) == lane;
}

static inline bool sim_cell_has_no_writer(const SimCells *c, uint64_t word, uint32_t lane, const SimActor *actor) {
  uint32_t writer = c->writer[word];
  return writer < actor->ordered ||
         ((writer & 63) == (actor->writer & 31) && sim_cell_is_own(writer, c->info[word], lane, actor));
}

static inline void sim_cell_note_read(const SimCells *c, uint64_t word, uint32_t lane, const SimActor *actor) {
  uint32_t now = actor->writer & ~31u;
  bool fresh = c->read_epoch[word] < actor->ordered;
  c->readers[word] = (fresh ? 0 : c->readers[word]) | actor->warp_bit;
  c->read_epoch[word] = fresh ? now : c->read_epoch[word];
  c->reader[word] = actor->info | lane << 5;
}

// May a lane read a whole word (weakly) without a closer look?
static inline bool sim_cell_may_read(const SimCells *c, uint64_t word, uint32_t lane, const SimActor *actor) {
  return sim_cell_has_no_writer(c, word, lane, actor) && !(c->read_epoch[word] & SIM_CELL_MORE);
}

// May it write one?
static inline bool sim_cell_may_write(const SimCells *c, uint64_t word, uint32_t lane, const SimActor *actor) {
  uint32_t epoch = c->read_epoch[word];
  if (!sim_cell_has_no_writer(c, word, lane, actor)) return false;
  return epoch < actor->ordered || (!(c->readers[word] & ~actor->warp_bit) && !(epoch & SIM_CELL_MORE) &&
                                    sim_cell_is_own(epoch, c->reader[word], lane, actor));
}

static inline void sim_cell_note_write(const SimCells *c, uint64_t word, uint32_t lane, const SimActor *actor) {
  c->writer[word] = actor->writer;
  c->info[word] = actor->info | lane << 5;
}

// Moves one element of each lane in mask between a register and memory, to or from place + apart[i]. What is moved to
// lanes that are not in mask is of no account: they keep what they have.
typedef void (*SimMove)(void *reg, uint8_t *place, const uint64_t apart[32], uint32_t mask);
typedef enum SimForm {   // how the places lie; the first of those that hold is the best
  SIM_FORM_ROW,          // all lanes, one behind the other
  SIM_FORM_SAME,         // all lanes, one place
  SIM_FORM_HALF_ROWS, SIM_FORM_HALF_SAME,   // the same of each half of the lanes
  SIM_FORM_ANY,          // all lanes
  SIM_FORM_SOME,         // lanes in mask
  SIM_FORM_COUNT
} SimForm;

// What is known of the 32 addresses of an access, to hold the next ones against: see core/shape.h. Distances are from
// the first lane that takes part; 0 for lanes that do not.
enum { SIM_LIKE_UNIT = 32 };
typedef struct SimLike {
  _Alignas(64) uint64_t apart[32];
  _Alignas(64) uint32_t narrow[32];   // the same in 32 bits
  uint32_t mask, first;      // lanes that take part, and the first of them
  uint32_t base;             // slot of the register that addresses are made of
  uint32_t own;              // where the first lane has its part of that, or of the index
  uint32_t apart_in;         // warps that are found to be as far apart, and are so in every block: a bit each
  uint32_t low_bits;         // that are 0 in an aligned address
  uint64_t offset;           // added to it
  uint64_t from, room;       // the first lane's address lies in from ... from + room: then all lanes are inside
  uintptr_t origin;          // and its bytes are at origin + address
  // addresses that are start + index * scale + offset (core/inst.h, SimIndexed): then `narrow` are
  // the indexes' distances
  uint32_t start, index;     // slots
  bool is_signed;
  uint64_t scale;
  uint64_t index_from, index_room;   // the first lane's index lies in there: then none wraps
  uint64_t times[SIM_LIKE_UNIT];   // accesses found, by the first lane's address modulo SIM_LIKE_UNIT
} SimLike;
// Where the first lane's bytes are, if all addresses in the registers are as `like` says; adds `step` to its times.
// Else NULL.
typedef uint8_t *(*SimFind)(const uint8_t *regs, SimLike *like, uint64_t step);

// The same where it is known that the lanes are as far apart as `like` says: the first one's address, or index, tells.
static inline uint8_t *sim_like_at(SimLike *like, uint64_t at, uint64_t step) {
  if (at - like->from > like->room || at & like->low_bits) return NULL;
  like->times[at % SIM_LIKE_UNIT] += step;
  return (uint8_t *)(like->origin + at);
}

static inline uint8_t *sim_like_indexed(const uint8_t *regs, SimLike *like, uint32_t first, uint64_t step) {
  uint64_t index = like->is_signed ? (uint64_t)(int32_t)first : first;
  if (index - like->index_from > like->index_room) return NULL;
  uint64_t start = *(const uint64_t *)(const void *)(regs + like->start);
  return sim_like_at(like, start + index * like->scale + like->offset, step);
}

// Products to be added up for each lane, of words of float: one factor of each is a word for lanes 0-15 and another one
// for lanes 16-31, the other factors are a row of words for each half. high: bytes from the lower half's to the
// upper's.
typedef struct SimDotTerm { int64_t one, row; } SimDotTerm;   // bytes from where SimDotPlaces has them
typedef struct SimDotPlaces {
  const uint8_t *one, *row;
  int64_t one_high, row_high;
  int64_t one_step, row_step; uint64_t rounds;   // dot_rounds: a term in each round, and as far from the one before
  const SimDotTerm *terms; uint64_t count;       // dot_terms
} SimDotPlaces;
// At least one term or round. `to` may be `from`.
typedef void (*SimDotLoop)(float to[32], const float from[32], const SimDotPlaces *at);

// Words that are added up for some lanes each: of memory, if there is one, or of the sums themselves, lane i - by's.
typedef struct SimChainStep { uint32_t lanes; int by; const uint8_t *word; } SimChainStep;

typedef struct SimReach { uint64_t from, room; uint32_t low_bits; } SimReach;

typedef struct SimLaneOps {
  void (*addresses)(const void *base, int base_bytes, uint64_t offset, uint32_t mask, uint64_t addr[32]);
  // The same; whether all of them lie in from ... from + room, and have none of the low bits.
  bool (*reach)(const void *base, int base_bytes, uint64_t offset, uint32_t mask, const SimReach *within,
                uint64_t addr[32]);
  void (*widen)(uint64_t to[32], const uint32_t from[32]);
  uint32_t (*nonzero32)(const uint32_t value[32]);           // lanes whose value is not 0
  uint32_t (*nonzero64)(const uint64_t value[32]);
  SimFind find[4][2];   // addresses from registers of 32 bits, of 64, from none, indexed; of all lanes, of some
  void (*moved)(uint64_t addr[32], const uint64_t apart[32], uint64_t first);   // addr[i] = first + apart[i]
  SimDotLoop dot_terms, dot_rounds;
  void (*chain)(uint32_t to[32], const uint32_t from[32], const SimChainStep *steps, int count);
  SimMove load[2][SIM_FORM_COUNT], store[2][SIM_FORM_COUNT];   // of 4 bytes, of 8
  void (*fit)(const uint64_t addr[32], uint64_t base, uint64_t size, uint32_t width, SimFit *out);
  // The numbers of the words at at[i], counted from `first`; false: not all of them lie in the `room` bytes from there
  // on, a power of two up to 256 KB.
  bool (*words_near)(const uint64_t at[32], uint64_t first, uint64_t room, uint16_t word[32]);
  // Shuffles: each lane's word from another lane; from lane i - by, of those in range, while the others keep theirs.
  // What lies up to 31 words around the slot `from` is looked at, and not used.
  void (*permute)(uint32_t to[32], const uint32_t from[32], const uint8_t source[32]);
  void (*shift)(uint32_t to[32], const uint32_t from[32], int by, uint32_t in_range);
  // What lane i wants is at origin + at[i]; an origin is a number, since it need not lie in the memory itself.
  void (*gather32)(uint32_t dst[32], uintptr_t origin, const uint64_t at[32], uint32_t mask);
  void (*gather64)(uint64_t dst[32], uintptr_t origin, const uint64_t at[32], uint32_t mask);
  bool (*all_written32)(uintptr_t origin, const uint64_t at[32]);    // 4 bytes at each place are 1
  // Notes weak accesses to whole words, at[i] / 4 + word; the lanes that need a closer look come back and are not
  // noted.
  uint32_t (*note_reads)(const SimCells *cells, uint64_t word, const uint64_t at[32], uint32_t mask,
                         const SimActor *actor);
  uint32_t (*note_writes)(const SimCells *cells, uint64_t word, const uint64_t at[32], uint32_t mask,
                          const SimActor *actor);
  // The same of 16 lanes, from `lane` on, and as many words in a row, from `word` on: may_... says whether none of them
  // needs a closer look, and changes nothing.
  bool (*may_read_row)(const SimCells *cells, uint64_t word, uint32_t lane, const SimActor *actor);
  void (*note_read_row)(const SimCells *cells, uint64_t word, uint32_t lane, const SimActor *actor);
  // Of all lanes, and as many words in a row. False: some need a closer look, and none is noted.
  bool (*write_row)(const SimCells *cells, uint64_t word, const SimActor *actor);
} SimLaneOps;

const SimLaneOps *sim_lane_ops(void);   // the best for this machine, see sim_alu_isa

#endif
