// atoms.c: the table of words, and what atomics leave there: loops without branches, compiled for each instruction set.
#include "trace/atoms.h"

#include <string.h>
#include "base/loops.h"

enum { LANES = 32, PAGE_SHIFT = 14, PIECE = ATOMS_WORDS / 64 };   // PAGE_SHIFT: 4 bytes of each word of the table

// ---- ways ----------------------------------------------------------------------------------------------------------

static inline uint32_t sum_of_floats(uint32_t a, uint32_t b) {
  float x, y;
  memcpy(&x, &a, sizeof x);
  memcpy(&y, &b, sizeof y);
  x += y;
  memcpy(&a, &x, sizeof a);
  return (a & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : a;
}

#define WAY(name, now)                                                                          \
  LS_CLONES                                                                                     \
  static void leave_##name(const uint32_t *olds, const uint32_t *operands, uint32_t *restrict left) { \
    for (int i = 0; i < LANES; i++) {                                                           \
      const uint32_t old = olds[i], b = operands[i];                                            \
      (void)old, (void)b;                                                                       \
      left[i] = now;                                                                            \
    }                                                                                           \
  }                                                                                             \
  static uint32_t left_by_##name(uint32_t old, uint32_t b) {                                    \
    (void)old, (void)b;                                                                         \
    return now;                                                                                 \
  }
WAY(add, old + b)
WAY(add_f32, sum_of_floats(old, b))
WAY(min_u32, old < b ? old : b)
WAY(min_s32, (int32_t)old < (int32_t)b ? old : b)
WAY(max_u32, old < b ? b : old)
WAY(max_s32, (int32_t)old < (int32_t)b ? b : old)
WAY(and, old & b)
WAY(or, old | b)
WAY(xor, old ^ b)
WAY(take, b)
WAY(keep, old)
WAY(inc, old >= b ? 0 : old + 1)
WAY(dec, old == 0 || old > b ? b : old - 1)

typedef struct Way {
  void (*leave)(const uint32_t *old, const uint32_t *operand, uint32_t *restrict left);   // of 32 lanes
  uint32_t (*left_by)(uint32_t old, uint32_t b);
} Way;
static const Way ways[ATOMS_WAYS] = {
    [ATOMS_ADD] = {leave_add, left_by_add},             [ATOMS_ADD_F32] = {leave_add_f32, left_by_add_f32},
    [ATOMS_MIN_U32] = {leave_min_u32, left_by_min_u32}, [ATOMS_MIN_S32] = {leave_min_s32, left_by_min_s32},
    [ATOMS_MAX_U32] = {leave_max_u32, left_by_max_u32}, [ATOMS_MAX_S32] = {leave_max_s32, left_by_max_s32},
    [ATOMS_AND] = {leave_and, left_by_and},             [ATOMS_OR] = {leave_or, left_by_or},
    [ATOMS_XOR] = {leave_xor, left_by_xor},             [ATOMS_TAKE] = {leave_take, left_by_take},
    [ATOMS_KEEP] = {leave_keep, left_by_keep},          [ATOMS_INC] = {leave_inc, left_by_inc},
    [ATOMS_DEC] = {leave_dec, left_by_dec},
};

// ---- the table -----------------------------------------------------------------------------------------------------

void atoms_begin(AtomsTable *table) {
  for (; table->used; table->used &= table->used - 1)
    memset(&table->words[__builtin_ctzll(table->used) * PIECE], 0, PIECE * sizeof *table->words);
  table->blocks = 0;
}

// What the address of a word has beyond its place in the table, in the upper half. Blocks have memory of their own.
static inline uint64_t salt_of(const AtomsTable *table, const AtomsRow *row) {
  return row->is_shared ? (uint64_t)~table->blocks << 32 : 0;
}
static inline uint64_t page_of(uint64_t addr, uint64_t salt) { return (addr >> PAGE_SHIFT << 32) ^ salt; }
static inline uint64_t place_of(uint64_t addr) { return addr >> 2 & (ATOMS_WORDS - 1); }
static inline uint64_t piece_of(uint64_t place) { return 1ull << place / PIECE; }

static inline bool is_known(uint64_t word, uint64_t page) { return !((word ^ page) >> 32); }
static inline uint32_t expected(uint64_t word, uint64_t page) { return is_known(word, page) ? (uint32_t)word : 0; }

// A row on its way into the table: where each lane's word is, what it leaves there, and what was there.
typedef struct Passing { uint64_t place[LANES], next[LANES], found[LANES]; } Passing;

// Returns whether they are all in one piece of the table.
LS_CLONES
static bool make_ready(Passing *restrict p, const uint64_t *addr, const uint32_t *left, uint64_t salt) {
  uint64_t apart = 0;
  for (int i = 0; i < LANES; i++) p->place[i] = place_of(addr[i]);
  for (int i = 0; i < LANES; i++) p->next[i] = page_of(addr[i], salt) | left[i];
  for (int i = 0; i < LANES; i++) apart |= place_of(addr[i]) ^ place_of(addr[0]);
  return apart < PIECE;
}

static uint64_t pieces_of(const Passing *p) {
  uint64_t used = 0;
  for (int i = 0; i < LANES; i++) used |= piece_of(p->place[i]);
  return used;
}

static void pass(uint64_t *words, Passing *p) {
  LS_UNROLLED for (int i = 0; i < LANES; i++) {
    uint64_t *word = &words[p->place[i]];
    p->found[i] = *word;
    *word = p->next[i];
  }
}

LS_CLONES
static bool are_expected(const Passing *p, const uint32_t *old) {
  uint64_t wrong = 0;
  for (int i = 0; i < LANES; i++) {
    uint64_t is_other = (p->found[i] ^ p->next[i]) >> 32, word = is_other ? 0 : (uint32_t)p->found[i];
    wrong |= word ^ old[i];
  }
  return !wrong;
}

static uint32_t unexpected(const Passing *p, const AtomsRow *row, uint32_t *known) {
  uint32_t wrong = 0;
  *known = 0;
  for (uint32_t left = row->mask; left; left &= left - 1) {
    int i = __builtin_ctz(left);
    bool is_wrong = expected(p->found[i], p->next[i]) != row->old[i];
    wrong |= (uint32_t)is_wrong << i;
    *known |= (uint32_t)(is_wrong && is_known(p->found[i], p->next[i])) << i;
  }
  return wrong;
}

// Some lanes.
static void pass_some(AtomsTable *table, const Way *way, const AtomsRow *row, Passing *p) {
  uint64_t salt = salt_of(table, row);
  for (uint32_t left = row->mask; left; left &= left - 1) {
    int i = __builtin_ctz(left);
    p->place[i] = place_of(row->addr[i]);
    p->next[i] = page_of(row->addr[i], salt) | way->left_by(row->old[i], row->operand[i]);
    p->found[i] = table->words[p->place[i]];
    table->used |= piece_of(p->place[i]);
    table->words[p->place[i]] = p->next[i];
  }
}

static uint32_t tell(AtomsTable *table, const Way *way, const AtomsRow *row, Passing *p, uint32_t *known) {
  uint32_t left[LANES];
  if (row->mask != UINT32_MAX) {
    pass_some(table, way, row, p);
    return unexpected(p, row, known);
  }
  way->leave(row->old, row->operand, left);
  bool near = make_ready(p, row->addr, left, salt_of(table, row));
  table->used |= near ? piece_of(p->place[0]) : pieces_of(p);
  pass(table->words, p);
  *known = 0;
  return are_expected(p, row->old) ? 0 : unexpected(p, row, known);
}

uint32_t atoms_tell(AtomsTable *table, unsigned way, const AtomsRow *row, uint32_t *known) {
  Passing p;
  return tell(table, &ways[way], row, &p, known);
}

// From the last lane to the first: several may have met at a word.
static void undo(AtomsTable *table, const AtomsRow *row, const Passing *p) {
  for (int i = LANES - 1; i >= 0; i--) if (row->mask >> i & 1) table->words[p->place[i]] = p->found[i];
}

unsigned atoms_find(AtomsTable *table, unsigned first, const AtomsRow *row) {
  unsigned best = first;
  int fewest = LANES + 1;
  for (unsigned n = 0; n < ATOMS_WAYS && fewest; n++) {
    unsigned way = (first + n) % ATOMS_WAYS;
    Passing p;
    uint32_t known;
    int count = __builtin_popcount(tell(table, &ways[way], row, &p, &known));
    undo(table, row, &p);
    if (count >= fewest) continue;
    fewest = count;
    best = way;
  }
  return best;
}

void atoms_make(AtomsTable *table, unsigned way, const AtomsRow *row, uint32_t told) {
  uint64_t salt = salt_of(table, row);
  for (uint32_t left = row->mask; left; left &= left - 1) {
    int i = __builtin_ctz(left);
    uint64_t place = place_of(row->addr[i]), *word = &table->words[place], page = page_of(row->addr[i], salt);
    if (!(told >> i & 1)) row->old[i] = expected(*word, page);
    table->used |= piece_of(place);
    *word = page | ways[way].left_by(row->old[i], row->operand[i]);
  }
}
