// late_atomics.c: atomics that words remember late, or never.
//
// Of each word the tables show the last access, the last one before it of another lane of the same warp, of another
// warp, and of another block. So rows are looked through from the last to the first, until each word has all of these.
#include "sim/check/late_atomics.h"
#include <string.h>
#include "base/loops.h"

enum { ROWS = 256, WORDS = SIM_LATE_BYTES / 4 };

typedef struct Row { SimStrongAccess now; uint32_t mask, kept; uint16_t word[SIM_LANES]; } Row;
struct SimLateAtomics { int count; Row rows[ROWS]; };

bool sim_late_atomics_add(SimLateAtomics **late, const SimLaneOps *ops, const SimStrongAccess *now,
                          const uint64_t addr[SIM_LANES], uint64_t first, uint32_t mask, SimLateNote note,
                          void *owner) {
  uint16_t word[SIM_LANES];
  if (!ops->words_near(addr, first, SIM_LATE_BYTES, word)) return false;
  if (!*late) *late = ls_alloc(sizeof **late);
  if ((*late)->count == ROWS) sim_late_atomics_note(*late, note, owner);
  Row *row = &(*late)->rows[(*late)->count++];
  row->now = *now;
  row->mask = mask;
  memcpy(row->word, word, sizeof word);
  return true;
}

void sim_late_atomics_drop(SimLateAtomics *late) { late->count = 0; }

// ---- noting --------------------------------------------------------------------------------------------------------

// What was found of each word. row, lane: of its last access; valid if there is one.
enum { LAST = 1, OTHER_LANE = 2, OTHER_WARP = 4, ALL = 8 };
typedef struct Found { uint8_t what[WORDS], row[WORDS], lane[WORDS]; } Found;

static bool has_all(const Row *row, const Found *found) {
  uint8_t what = ALL;
  LS_UNROLLED for (int i = 0; i < SIM_LANES; i++) what &= found->what[row->word[i]];
  return what;
}

// Rows before these are of the same block as row 0, or of the same warp.
typedef struct Alone { int block, warp; } Alone;

static bool is_same_warp(const SimStrongAccess *a, const SimStrongAccess *b) {
  return a->block == b->block && !((a->writer ^ b->writer) & 31);
}

static Alone find_alone(const SimLateAtomics *late) {
  const SimStrongAccess *first = &late->rows[0].now;
  Alone alone = {1, 1};
  while (alone.block < late->count && late->rows[alone.block].now.block == first->block) alone.block++;
  while (alone.warp < late->count && is_same_warp(&late->rows[alone.warp].now, first)) alone.warp++;
  return alone;
}

// What a lane's access, in a row with this number, is to its word; 0: nothing that is still to be seen.
static uint8_t role_of(const Row *row, const Row *last, uint8_t what, bool is_other_lane, int number, Alone alone) {
  if (!what) return LAST;
  if (row->now.block != last->now.block) return ALL;
  if (what & OTHER_WARP) return 0;
  if (!is_same_warp(&row->now, &last->now)) return OTHER_WARP | (number < alone.block ? ALL : 0);
  return what & OTHER_LANE || !is_other_lane ? 0 : OTHER_LANE | (number < alone.warp ? ALL : 0);
}

static void look_at(SimLateAtomics *late, int number, Alone alone, Found *found) {
  Row *row = &late->rows[number];
  row->kept = 0;
  if (has_all(row, found)) return;
  for (uint32_t left = row->mask; left;) {
    uint32_t lane = 31u - (uint32_t)__builtin_clz(left), word = row->word[lane];
    left ^= 1u << lane;
    if (found->what[word] & ALL) continue;
    const Row *last = &late->rows[found->row[word]];
    uint8_t role = role_of(row, last, found->what[word], found->lane[word] != lane, number, alone);
    found->what[word] |= role;
    if (!role) continue;
    row->kept |= 1u << lane;
    if (role != LAST) continue;
    found->row[word] = (uint8_t)number;
    found->lane[word] = (uint8_t)lane;
  }
}

void sim_late_atomics_note(SimLateAtomics *late, SimLateNote note, void *owner) {
  Found found;
  if (!late || !late->count) return;
  memset(found.what, 0, sizeof found.what);
  Alone alone = find_alone(late);
  for (int i = late->count - 1; i >= 0; i--) look_at(late, i, alone, &found);
  for (int i = 0; i < late->count; i++) {
    const Row *row = &late->rows[i];
    SIM_FOR_LANES(lane, row->kept) note(owner, row->word[lane], &row->now, row->now.info | lane << 5);
  }
  late->count = 0;
}
