// late_atomics.c: atomics on global memory that words remember late, or never.
//
// Words that only atomics for all blocks change are in no race, and nobody asks who came last as long as nothing else
// happens near them. Such an atomic is written down as a row: who, and which words. Whoever asks for a piece of the
// history has its rows noted first, and of many rows only what is still to be seen in the tables afterwards: of each
// word the last access, the last one before it of another lane of the same warp, of another warp, and of another block.
// So rows are looked through from the last to the first, until each word has all of these.
#include <string.h>
#include "base/loops.h"
#include "sim/check/access_history.h"

enum { ROWS = 256, WORDS = SIM_PIECE_BYTES / 4 };

typedef struct Row { SimStrongAccess now; uint32_t mask, kept; uint16_t word[SIM_LANES]; } Row;
typedef struct SimLateAtomics { int count; Row rows[ROWS]; } SimLateAtomics;

bool sim_late_atomics_add(SimExec *exec, SimHistoryPiece *w, const SimStrongAccess *now, uint64_t first,
                          uint32_t mask) {
  uint16_t word[SIM_LANES];
  if (!exec->lane_ops->words_near(exec->addr, first, SIM_PIECE_BYTES, word)) return false;
  if (!w->late) w->late = ls_alloc(sizeof *w->late);
  if (w->late->count == ROWS) sim_late_atomics_note(w);
  Row *row = &w->late->rows[w->late->count++];
  row->now = *now;
  row->mask = mask;
  memcpy(row->word, word, sizeof word);
  return true;
}

// ---- noting --------------------------------------------------------------------------------------------------------

// What was found of each word. row, lane: of its last access; valid if there is one.
enum { LAST = 1, OTHER_LANE = 2, OTHER_WARP = 4, ALL = 8 };
typedef struct Found { uint8_t what[WORDS], row[WORDS], lane[WORDS]; } Found;

static bool has_all(const Row *row, const Found *found) {
  uint8_t what = ALL;
  LS_UNROLLED for (int i = 0; i < SIM_LANES; i++) what &= found->what[row->word[i]];
  return what;
}

// What a lane's access is to its word; 0: nothing that still counts. alone: rows before this one are of the same block.
static uint8_t role_of(const Row *row, const Row *last, uint8_t what, bool is_other_lane, bool alone) {
  if (!what) return LAST;
  if (row->now.block != last->now.block) return ALL;
  if ((row->now.writer ^ last->now.writer) & 31) return what & OTHER_WARP ? 0 : OTHER_WARP | (alone ? ALL : 0);
  return what & (OTHER_WARP | OTHER_LANE) || !is_other_lane ? 0 : OTHER_LANE;
}

static void look_at(SimLateAtomics *late, int number, int alone, Found *found) {
  Row *row = &late->rows[number];
  row->kept = 0;
  if (has_all(row, found)) return;
  for (uint32_t left = row->mask; left;) {
    uint32_t lane = 31u - (uint32_t)__builtin_clz(left), word = row->word[lane];
    left ^= 1u << lane;
    if (found->what[word] & ALL) continue;
    const Row *last = &late->rows[found->row[word]];
    uint8_t role = role_of(row, last, found->what[word], found->lane[word] != lane, number < alone);
    found->what[word] |= role;
    if (!role) continue;
    row->kept |= 1u << lane;
    if (role != LAST) continue;
    found->row[word] = (uint8_t)number;
    found->lane[word] = (uint8_t)lane;
  }
}

static int rows_of_first_block(const SimLateAtomics *late) {
  int count = 1;
  while (count < late->count && late->rows[count].now.block == late->rows[0].now.block) count++;
  return count;
}

void sim_late_atomics_note(SimHistoryPiece *w) {
  SimLateAtomics *late = w->late;
  Found found;
  if (!late || !late->count) return;
  memset(found.what, 0, sizeof found.what);
  int alone = rows_of_first_block(late);
  for (int i = late->count - 1; i >= 0; i--) look_at(late, i, alone, &found);
  for (int i = 0; i < late->count; i++) {
    const Row *row = &late->rows[i];
    SIM_FOR_LANES(lane, row->kept)
      sim_strong_note_as(w->strong_writes[row->word[lane]].last, &row->now, row->now.info | lane << 5);
  }
  late->count = 0;
}
