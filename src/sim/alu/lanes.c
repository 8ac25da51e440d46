// lanes.c: addresses, bounds, shapes, gathers and race cells of 32 lanes. Compiled once per instruction set; the loops
// are of a form that becomes vector code.
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

// Of the addresses base[i] + offset. Branch-free, see fit.
static inline bool reaches(const uint64_t base[32], uint64_t offset, const SimReach *within, uint64_t addr[32]) {
  const uint64_t from = within->from, room = within->room;
  uint64_t outside = 0, bits = 0;
  for (int i = 0; i < 32; i++) {
    uint64_t here = base[i] + offset, at = here - from;
    outside |= at | (room - at);
    bits |= here;
    addr[i] = here;
  }
  return !(outside >> 63) && !(bits & within->low_bits);
}

static bool reach(const void *restrict base, int base_bytes, uint64_t offset, uint32_t mask,
                  const SimReach *restrict within, uint64_t *restrict addr) {
  if (base_bytes == 8 && mask == UINT32_MAX) return reaches(base, offset, within, addr);
  addresses(base, base_bytes, offset, mask, addr);
  return reaches(addr, 0, within, addr);
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

static uint32_t nonzero32(const uint32_t value[32]) {
  uint32_t lanes = 0;
  for (int i = 0; i < 32; i++) lanes |= value[i] ? alu_bit32[i] : 0;
  return lanes;
}

static uint32_t nonzero64(const uint64_t value[32]) {
  uint64_t lanes = 0;
  for (int i = 0; i < 32; i++) lanes |= value[i] ? alu_bit64[i] : 0;
  return (uint32_t)lanes;
}

static void widen(uint64_t to[32], const uint32_t from[32]) {
  for (int i = 0; i < 32; i++) to[i] = from[i];
}

static bool words_near(const uint64_t at[32], uint64_t first, uint64_t room, uint16_t word[32]) {
  uint64_t far = 0;
  for (int i = 0; i < 32; i++) far |= at[i] - first;
  if (far >= room) return false;
  for (int i = 0; i < 32; i++) word[i] = (uint16_t)(((uint32_t)at[i] - (uint32_t)first) / 4);
  return true;
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

static void permute(uint32_t to[32], const uint32_t from[32], const uint8_t source[32]) {
  for (int i = 0; i < 32; i++) to[i] = from[source[i]];
}

static void shift(uint32_t to[32], const uint32_t from[32], int by, uint32_t in_range) {
  const Word32 *others = (const Word32 *)((uintptr_t)from - (uintptr_t)((intptr_t)by * 4));
  ALU_FOR_LANES to[i] = in_range & alu_bit32[i] ? others[i] : from[i];
}

// ---- shapes (core/shape.h) -----------------------------------------------------------------------------------------

#if defined(__clang__)
#define UNROLLED
#else
#define UNROLLED _Pragma("GCC unroll 8")
#endif

// Of all lanes: the first one is lane 0.
static inline bool are_all32(const uint32_t *base, const SimLike *like) {
  uint32_t any = 0, origin = base[0];
  UNROLLED
  for (int i = 0; i < 32; i++) any |= (base[i] - origin) ^ like->narrow[i];
  return !any;
}

static inline bool are_some32(const uint32_t *base, const SimLike *like) {
  uint32_t any = 0, origin = base[like->first], mask = like->mask;
  for (int i = 0; i < 32; i++) any |= mask & alu_bit32[i] ? (base[i] - origin) ^ like->narrow[i] : 0;
  return !any;
}

static inline bool are_all64(const uint64_t *base, const SimLike *like) {
  uint64_t any = 0, origin = base[0];
  UNROLLED
  for (int i = 0; i < 32; i++) any |= (base[i] - origin) ^ like->apart[i];
  return !any;
}

static inline bool are_some64(const uint64_t *base, const SimLike *like) {
  uint64_t any = 0, origin = base[like->first], mask = like->mask;
  for (int i = 0; i < 32; i++) any |= mask & alu_bit64[i] ? (base[i] - origin) ^ like->apart[i] : 0;
  return !any;
}


#define FIND(name, Register, are, lane)                                                                         \
  static uint8_t *find_##name(const uint8_t *regs, SimLike *like, uint64_t step) {                              \
    const Register *base = __builtin_assume_aligned(regs + like->base, 64);                                     \
    if (!are(base, like)) return NULL;                                                                          \
    return sim_like_at(like, (Register)(base[lane] + (Register)like->offset), step);                            \
  }
FIND(all32, uint32_t, are_all32, 0)
FIND(some32, uint32_t, are_some32, like->first)
FIND(all64, uint64_t, are_all64, 0)
FIND(some64, uint64_t, are_some64, like->first)

static uint8_t *find_fixed(const uint8_t *regs, SimLike *like, uint64_t step) {
  (void)regs;
  return sim_like_at(like, like->offset, step);
}

static uint8_t *find_all_indexed(const uint8_t *regs, SimLike *like, uint64_t step) {
  const uint32_t *index = __builtin_assume_aligned(regs + like->index, 64);
  return are_all32(index, like) ? sim_like_indexed(regs, like, index[0], step) : NULL;
}

static uint8_t *find_some_indexed(const uint8_t *regs, SimLike *like, uint64_t step) {
  const uint32_t *index = __builtin_assume_aligned(regs + like->index, 64);
  return are_some32(index, like) ? sim_like_indexed(regs, like, index[like->first], step) : NULL;
}

static void moved(uint64_t addr[32], const uint64_t apart[32], uint64_t first) {
  ALU_FOR_LANES addr[i] = first + apart[i];
}

// Rows follow one another from warp to warp. What comes some warps later is asked for now: no processor looks that far
// ahead through the instructions of an emulator. Nothing is read there, so nothing need be there.
enum { AHEAD = 1024, CACHE_LINE = 64 };
static inline void ask_ahead(uintptr_t row, int bytes) {
  for (int i = 0; i < bytes; i += CACHE_LINE) __builtin_prefetch((const void *)(row + AHEAD + (uintptr_t)i), 0);
}
static inline void ask_ahead_to_write(uintptr_t row, int bytes) {
  for (int i = 0; i < bytes; i += CACHE_LINE) __builtin_prefetch((const void *)(row + AHEAD + (uintptr_t)i), 1);
}

#define FORMS(bits, Register, Word, BYTES)                                                                             \
  static void load_row##bits(void *reg, uint8_t *place, const uint64_t apart[32], uint32_t mask) {                     \
    (void)apart, (void)mask;                                                                                           \
    ask_ahead((uintptr_t)place, 32 * (BYTES));                                                                         \
    alu_copy_to_register(reg, place, 32 * (BYTES));                                                                    \
  }                                                                                                                    \
  static void store_row##bits(void *reg, uint8_t *place, const uint64_t apart[32], uint32_t mask) {                    \
    (void)apart, (void)mask;                                                                                           \
    ask_ahead_to_write((uintptr_t)place, 32 * (BYTES));                                                                \
    alu_copy_from_register(place, reg, 32 * (BYTES));                                                                  \
  }                                                                                                                    \
  static void load_same##bits(void *reg, uint8_t *place, const uint64_t apart[32], uint32_t mask) {                    \
    (void)apart, (void)mask;                                                                                           \
    Register *to = __builtin_assume_aligned(reg, 64), value = *(const Word *)(const void *)place;                      \
    for (int i = 0; i < 32; i++) to[i] = value;                                                                        \
  }                                                                                                                    \
  static void store_same##bits(void *reg, uint8_t *place, const uint64_t apart[32], uint32_t mask) {                   \
    (void)apart, (void)mask;                                                                                           \
    *(Word *)(void *)place = ((const Register *)reg)[31];                                                              \
  }                                                                                                                    \
  static void load_half_rows##bits(void *reg, uint8_t *place, const uint64_t apart[32], uint32_t mask) {               \
    (void)mask;                                                                                                        \
    alu_copy_to_register(reg, place, 16 * (BYTES));                                                                    \
    alu_copy_to_register((uint8_t *)reg + 16 * (BYTES), place + apart[16], 16 * (BYTES));                              \
  }                                                                                                                    \
  static void store_half_rows##bits(void *reg, uint8_t *place, const uint64_t apart[32], uint32_t mask) {              \
    (void)mask;                                                                                                        \
    alu_copy_from_register(place, reg, 16 * (BYTES));                                                                  \
    alu_copy_from_register(place + apart[16], (const uint8_t *)reg + 16 * (BYTES), 16 * (BYTES));                      \
  }                                                                                                                    \
  static void load_half_same##bits(void *reg, uint8_t *place, const uint64_t apart[32], uint32_t mask) {               \
    (void)mask;                                                                                                        \
    Register *to = __builtin_assume_aligned(reg, 64);                                                                  \
    Register low = *(const Word *)(const void *)place, high = *(const Word *)(const void *)(place + apart[16]);        \
    for (int i = 0; i < 16; i++) to[i] = low;                                                                          \
    for (int i = 16; i < 32; i++) to[i] = high;                                                                        \
  }                                                                                                                    \
  static void store_half_same##bits(void *reg, uint8_t *place, const uint64_t apart[32], uint32_t mask) {              \
    (void)mask;                                                                                                        \
    *(Word *)(void *)place = ((const Register *)reg)[15];                                                              \
    *(Word *)(void *)(place + apart[16]) = ((const Register *)reg)[31];                                                \
  }                                                                                                                    \
  static void load_any##bits(void *reg, uint8_t *place, const uint64_t apart[32], uint32_t mask) {                     \
    gather##bits(reg, (uintptr_t)place, apart, mask);                                                                  \
  }                                                                                                                    \
  static void store_any##bits(void *reg, uint8_t *place, const uint64_t apart[32], uint32_t mask) {                    \
    (void)mask;                                                                                                        \
    const Register *from = reg;                                                                                        \
    for (int i = 0; i < 32; i++) *(Word *)((uintptr_t)place + apart[i]) = from[i];                                     \
  }                                                                                                                    \
  static void store_some##bits(void *reg, uint8_t *place, const uint64_t apart[32], uint32_t mask) {                   \
    const Register *from = reg;                                                                                        \
    for (; mask; mask &= mask - 1) {                                                                                   \
      int i = __builtin_ctz(mask);                                                                                     \
      *(Word *)((uintptr_t)place + apart[i]) = from[i];                                                                \
    }                                                                                                                  \
  }
FORMS(32, uint32_t, Word32, 4)
FORMS(64, uint64_t, Word64, 8)
#define LOADS(bits) {load_row##bits,       load_same##bits, load_half_rows##bits,                                      \
                     load_half_same##bits, load_any##bits,  load_any##bits}
#define STORES(bits) {store_row##bits,       store_same##bits, store_half_rows##bits,                                  \
                      store_half_same##bits, store_any##bits,  store_some##bits}

static bool all_written32(uintptr_t origin, const uint64_t at[32]) {
  uint32_t all = 0x01010101u;
  for (int i = 0; i < 32; i++) all &= *(const Word32 *)(origin + at[i]);
  return all == 0x01010101u;
}

// ---- race cells ----------------------------------------------------------------------------------------------------

static uint32_t note_reads(const SimCells *cells, uint64_t word, const uint64_t at[32], uint32_t mask,
                           const SimActor *actor) {
  uint32_t closer = 0;
  for (; mask; mask &= mask - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(mask);
    uint64_t here = at[i] / 4 + word;
    if (sim_cell_may_read(cells, here, i, actor)) sim_cell_note_read(cells, here, i, actor);
    else closer |= 1u << i;
  }
  return closer;
}

static uint32_t note_writes(const SimCells *cells, uint64_t word, const uint64_t at[32], uint32_t mask,
                            const SimActor *actor) {
  uint32_t closer = 0;
  for (; mask; mask &= mask - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(mask);
    uint64_t here = at[i] / 4 + word;
    if (sim_cell_may_write(cells, here, i, actor)) sim_cell_note_write(cells, here, i, actor);
    else closer |= 1u << i;
  }
  return closer;
}

// Loops over a row have no branches: all conditions are looked at as numbers.
enum { ROW = 16 };
#if defined(__clang__)
#define ALU_FOR_ROW _Pragma("clang loop vectorize(assume_safety) interleave(enable)") for (uint32_t i = 0; i < ROW; i++)
#else
#define ALU_FOR_ROW _Pragma("GCC ivdep") for (uint32_t i = 0; i < ROW; i++)
#endif

// 0 if nobody else wrote it who is not ordered.
static inline uint32_t other_writer(uint32_t writer, uint32_t info, uint32_t lane, const SimActor *actor) {
  uint32_t not_own = (uint32_t)((writer & 63) != (actor->writer & 31)) |
                     ((uint32_t)(writer >= actor->own_ordered) & (uint32_t)((info >> 5 & 31) != lane));
  return (uint32_t)(writer >= actor->ordered) & not_own;
}

static bool may_read_row(const SimCells *cells, uint64_t word, uint32_t lane, const SimActor *actor) {
  const SimActor a = *actor;
  const uint32_t *writer = cells->writer + word, *epoch = cells->read_epoch + word, *info = cells->info + word;
  uint32_t wrong = 0;
  ALU_FOR_ROW wrong |= other_writer(writer[i], info[i], lane + i, &a) | (epoch[i] & SIM_CELL_MORE);
  return !wrong;
}

// The usual case: all that was done to these words is ordered before.
static bool is_all_ordered(const uint32_t *writer, const uint32_t *epoch, uint32_t ordered) {
  uint32_t last = 0;
  ALU_FOR_ROW {
    uint32_t here = writer[i] > epoch[i] ? writer[i] : epoch[i];
    last = here > last ? here : last;
  }
  return last < ordered;
}

static bool may_write_half(const SimCells *cells, uint64_t word, uint32_t lane, const SimActor *actor) {
  const SimActor a = *actor;
  const uint32_t *writer = cells->writer + word, *epoch = cells->read_epoch + word, *info = cells->info + word;
  const uint32_t *readers = cells->readers + word, *reader = cells->reader + word;
  uint32_t wrong = 0;
  ALU_FOR_ROW {
    uint32_t others = (readers[i] & ~a.warp_bit) | (epoch[i] & SIM_CELL_MORE);
    uint32_t lanes = (uint32_t)(epoch[i] >= a.own_ordered) & (uint32_t)((reader[i] >> 5 & 31) != lane + i);
    uint32_t is_read = (uint32_t)(epoch[i] >= a.ordered) & ((uint32_t)(others != 0) | lanes);
    wrong |= other_writer(writer[i], info[i], lane + i, &a) | is_read;
  }
  return !wrong;
}

static void note_read_row(const SimCells *cells, uint64_t word, uint32_t lane, const SimActor *actor) {
  const SimActor a = *actor;
  uint32_t *epoch = cells->read_epoch + word, *readers = cells->readers + word, *reader = cells->reader + word;
  const uint32_t now = a.writer & ~31u;
  ALU_FOR_ROW {
    bool fresh = epoch[i] < a.ordered;
    readers[i] = (fresh ? 0 : readers[i]) | a.warp_bit;
    epoch[i] = fresh ? now : epoch[i];
    reader[i] = a.info | (lane + i) << 5;
  }
}

static void note_write_half(const SimCells *cells, uint64_t word, uint32_t lane, const SimActor *actor) {
  const SimActor a = *actor;
  uint32_t *writer = cells->writer + word, *info = cells->info + word;
  ALU_FOR_ROW {
    writer[i] = a.writer;
    info[i] = a.info | (lane + i) << 5;
  }
}

static bool write_row(const SimCells *cells, uint64_t word, const SimActor *actor) {
  bool is_ordered = is_all_ordered(cells->writer + word, cells->read_epoch + word, actor->ordered) &&
                    is_all_ordered(cells->writer + word + ROW, cells->read_epoch + word + ROW, actor->ordered);
  if (!is_ordered && !(may_write_half(cells, word, 0, actor) && may_write_half(cells, word + ROW, ROW, actor)))
    return false;
  note_write_half(cells, word, 0, actor);
  note_write_half(cells, word + ROW, ROW, actor);
  return true;
}

void ALU_NAME(sim_dot_terms)(float to[32], const float from[32], const SimDotPlaces *at);    // dot.c
void ALU_NAME(sim_dot_rounds)(float to[32], const float from[32], const SimDotPlaces *at);
void ALU_NAME(sim_chain)(uint32_t to[32], const uint32_t from[32], const SimChainStep *steps, int count);   // chain.c
const SimLaneOps ALU_NAME(sim_lane_ops);
const SimLaneOps ALU_NAME(sim_lane_ops) = {
    .addresses = addresses, .reach = reach, .widen = widen,
    .nonzero32 = nonzero32, .nonzero64 = nonzero64, .moved = moved,
    .find = {{find_all32, find_some32}, {find_all64, find_some64}, {find_fixed, find_fixed},
             {find_all_indexed, find_some_indexed}},
    .dot_terms = ALU_NAME(sim_dot_terms), .dot_rounds = ALU_NAME(sim_dot_rounds),
    .chain = ALU_NAME(sim_chain),
    .load = {LOADS(32), LOADS(64)}, .store = {STORES(32), STORES(64)}, .fit = fit, .words_near = words_near,
    .permute = permute, .shift = shift, .gather32 = gather32, .gather64 = gather64,
    .all_written32 = all_written32, .note_reads = note_reads, .note_writes = note_writes,
    .may_read_row = may_read_row, .note_read_row = note_read_row, .write_row = write_row};
