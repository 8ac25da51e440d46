// test_late_atomics.c: what words remember of atomics that are noted late is what they would remember of each at once.
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "sim/check/access_history.h"

enum { WORDS = SIM_PIECE_BYTES / 4, ROUNDS = 400 };

// Who accesses, drawn anew: blocks of some warps each, mostly one after the other, and words of a table of some length.
typedef struct Draw { LsMt mt; uint32_t blocks, warps, words, number; bool interleaved; } Draw;

static uint32_t draw(Draw *d, uint32_t below) { return ls_mt_u32(&d->mt) % below; }

static SimStrongAccess draw_access(Draw *d, uint32_t *block) {
  if (draw(d, d->interleaved ? 2 : 30) == 0) *block = d->interleaved ? 1 + draw(d, d->blocks) : *block % d->blocks + 1;
  uint32_t warp = draw(d, d->warps), pc = 7 + draw(d, 2);
  d->number++;
  return (SimStrongAccess){.block = *block, .writer = d->number << SIM_CELL_SHIFT | warp, .info = pc << 10 | warp,
                           .number = d->number, .how = SIM_STRONG | SIM_WRITES, .bytes = 15};
}

static uint32_t draw_mask(Draw *d) {
  uint32_t mask = draw(d, 4) ? UINT32_MAX : ls_mt_u32(&d->mt);
  return mask ? mask : 1;
}

// One round: `count` accesses, some noted before all the others. Both tables are the same behind that.
static void check_round(Draw *d, uint32_t count) {
  SimExec *exec = ls_alloc(sizeof *exec);
  exec->lane_ops = sim_lane_ops();
  SimHistoryPiece late = {.strong_writes = ls_alloc(WORDS * sizeof *late.strong_writes)};
  SimStrongWrites *expected = ls_alloc(WORDS * sizeof *expected);
  uint64_t first = 0x700000000ull + draw(d, 8) * SIM_PIECE_BYTES;
  uint32_t block = 1;
  for (uint32_t n = 0; n < count; n++) {
    SimStrongAccess now = draw_access(d, &block);
    uint32_t mask = draw_mask(d), base = draw(d, 3) ? 0 : draw(d, WORDS - d->words);
    uint64_t table = first + 4ull * base, other = table + 4ull * draw(d, d->words);
    for (uint32_t i = 0; i < 32; i++) exec->addr[i] = mask >> i & 1 ? table + 4ull * draw(d, d->words) : other;
    for (uint32_t i = 0; i < 32; i++)
      if (mask >> i & 1) sim_strong_note_as(expected[(exec->addr[i] - first) / 4].last, &now, now.info | i << 5);
    CHECK(sim_history_late(exec, &late, &now, first, mask));
    if (draw(d, 200) == 0) sim_history_note_late(&late);
  }
  sim_history_note_late(&late);
  CHECK_INT(memcmp(expected, late.strong_writes, WORDS * sizeof *expected), 0);
  free(late.late);
  free(late.strong_writes);
  free(expected);
  free(exec);
}

static void test_tables(void) {
  Draw d = {0};
  ls_mt_seed(&d.mt, 42);
  for (int round = 0; round < ROUNDS; round++) {
    d.blocks = 1 + draw(&d, 4);
    d.warps = 1 + draw(&d, 9);
    d.words = 1 + draw(&d, draw(&d, 2) ? 20 : 2000);
    d.interleaved = draw(&d, 4) == 0;
    check_round(&d, 1 + draw(&d, 600));
  }
}

static void test_elsewhere(void) {
  SimExec *exec = ls_alloc(sizeof *exec);
  exec->lane_ops = sim_lane_ops();
  SimHistoryPiece piece = {0};
  SimStrongAccess now = {.block = 1};
  for (int i = 0; i < 32; i++) exec->addr[i] = 0x700000000ull;
  exec->addr[17] += SIM_PIECE_BYTES;
  CHECK(!sim_history_late(exec, &piece, &now, 0x700000000ull, UINT32_MAX));
  CHECK(!piece.late);
  free(exec);
}

static const Check checks[] = {
    {"tables", test_tables},
    {"elsewhere", test_elsewhere},
};

int main(int argc, char **argv) { return check_main("late_atomics", checks, LS_COUNT(checks), argc, argv); }
