// quick_rows.c: rows of global memory that the kernel writes: a warp that loads or stores words in a row, or in two
// half rows, where nobody has been whom nothing orders. One look at a line of 128 bytes, or at the words of a row, does
// what races.c does lane by lane, and a few entries remember it; so do coverage and the bytes that are written.
#include "sim/check/quick.h"
#include <string.h>
#include "sim/check/access_history.h"
#include "sim/check/shadow_words.h"
#include "trace/coverage.h"

enum { WORD = 4, HALF = 16 };

// Words at an offset of the buffer, one for each lane from `lane` on.
typedef struct Row { uint64_t offset; uint32_t lane, count; } Row;

bool sim_quick_rows_fit(const SimShape *s) {
  int64_t between = (int64_t)s->places[HALF], bytes = HALF * WORD;
  if (s->form == SIM_FORM_ROW) return true;
  return s->form == SIM_FORM_HALF_ROWS && (!s->is_store || between >= bytes || between <= -bytes);
}

// ---- who was there before ------------------------------------------------------------------------------------------

// now: of lane 0; part: as it is remembered of words and of lines
static SimLastAccess access_now(const SimExec *exec, uint32_t part) {
  uint32_t warp = (uint32_t)sim_warp_index(exec);
  return (SimLastAccess){.block = exec->block.number + 1, .writer = exec->block.epoch << SIM_CELL_SHIFT | warp,
                         .info = (uint32_t)exec->reported_pc << 10 | warp, .part = part};
}

// Was it ordered before this access, or was it the same lane?
static bool is_ordered(SimExec *exec, const SimLastAccess *o, const SimLastAccess *now) {
  if (o->block != now->block) return false;
  const SimActor *actor = sim_shadow_actor(exec);
  if ((o->writer ^ now->writer) & 31) return o->writer < actor->ordered;
  return o->writer < actor->own_ordered || (o->part == now->part && !((o->info ^ now->info) >> 5 & 31));
}

static bool is_clear(SimExec *exec, const SimLastAccess *o, const SimLastAccess *now) {
  return !o->block || is_ordered(exec, o, now);
}

// A whole line, of which no word was accessed by itself.
static bool is_line_clear(SimExec *exec, const SimHistoryPiece *w, uint64_t line, const SimLastAccess *now,
                          bool writes) {
  const SimLastAccess *readers = writes ? w->line_readers : NULL;
  if (w->words || w->strong_writes || (writes && (w->readers || w->strong_reads))) return false;
  if (w->lines && !is_clear(exec, &w->lines[line], now)) return false;
  return !readers || (is_clear(exec, &readers[line * 2], now) && is_clear(exec, &readers[line * 2 + 1], now));
}

static bool is_untouched(const SimLastAccess *entries, uint64_t first, uint64_t count) {
  uint32_t any = 0;
  for (uint64_t i = 0; entries && i < count; i++) any |= entries[first + i].block;
  return !any;
}

// each: entries of a word
static bool are_words_clear(SimExec *exec, const SimLastAccess *entries, uint32_t each, const Row *row) {
  uint64_t first = row->offset % SIM_PIECE_BYTES / WORD * each, count = (uint64_t)row->count * each;
  if (is_untouched(entries, first, count)) return true;
  SimLastAccess now = access_now(exec, 15);
  now.info |= row->lane << 5;
  for (uint64_t i = 0; i < count; i++) {
    if (!is_clear(exec, &entries[first + i], &now)) return false;
    if (i % each == each - 1) now.info += 1u << 5;
  }
  return true;
}

// Words in a row. Of lines that were accessed as such a closer look tells which lane had a word.
static bool is_row_clear(SimExec *exec, const SimHistoryPiece *w, const Row *row, bool writes) {
  uint64_t at = row->offset % SIM_PIECE_BYTES, line = at / SIM_LINE;
  uint64_t count = (at + row->count * WORD - 1) / SIM_LINE - line + 1;
  if (w->strong_writes || (writes && w->strong_reads) || !is_untouched(w->lines, line, count)) return false;
  if (!are_words_clear(exec, w->words, 1, row)) return false;
  return !writes || (is_untouched(w->line_readers, line * 2, count * 2) && are_words_clear(exec, w->readers, 2, row));
}

static bool meets_nobody(SimExec *exec, const SimAlloc *a, const Row *row, bool writes) {
  uint64_t first = row->offset / SIM_PIECE_BYTES, last = (row->offset + row->count * WORD - 1) / SIM_PIECE_BYTES;
  const SimHistoryPiece *w = sim_history_at(exec, a, row->offset);
  return first == last && (!w || is_row_clear(exec, w, row, writes));
}

// ---- what is remembered --------------------------------------------------------------------------------------------

static void remember(SimExec *exec, const SimAlloc *a, const Row *row, bool writes) {
  SimHistoryPiece *w = sim_history_piece(exec, a, row->offset);
  SimLastAccess first = access_now(exec, 15);
  first.info |= row->lane << 5;
  sim_history_row(exec, w, row->offset / WORD, row->count, first, writes);
}

// Coverage of results. False: elements are of another size.
static bool cover(const SimExec *exec, const SimAlloc *a, const Row *row) {
  if (!a->cover) return true;
  const TraceStore store = {.block = exec->block.number, .warp = (uint32_t)sim_warp_index(exec),
                            .pc = exec->reported_pc, .width = WORD};
  return trace_cover_row(a->cover, &store, a->base + row->offset, row->lane, row->count);
}

static void mark_written(const SimExec *exec, const SimAlloc *a, const Row *row) {
  if (a->init && exec->checks & SIM_CHECK_INIT) memset(a->init + row->offset, 1, (size_t)row->count * WORD);
}

// ---- the judge -----------------------------------------------------------------------------------------------------

static bool judge_line(SimExec *exec, const SimAlloc *a, const Row *row, bool writes) {
  bool races = exec->checks & SIM_CHECK_RACE;
  uint64_t line = row->offset % SIM_PIECE_BYTES / SIM_LINE;
  const SimLastAccess now = access_now(exec, WORD);
  SimHistoryPiece *w = NULL;
  if (races) {
    w = sim_history_at(exec, a, row->offset);
    if (!w) w = sim_history_piece(exec, a, row->offset);
    if (!is_line_clear(exec, w, line, &now, writes)) return false;
  }
  if (writes && !cover(exec, a, row)) return false;
  if (races) sim_history_line(exec, w, line, now, writes);
  if (writes) mark_written(exec, a, row);
  return true;
}

static bool judge_words(SimExec *exec, const SimAlloc *a, const Row *rows, int count, bool writes) {
  bool races = exec->checks & SIM_CHECK_RACE;
  for (int i = 0; i < count && races; i++) if (!meets_nobody(exec, a, &rows[i], writes)) return false;
  for (int i = 0; i < count && writes; i++) if (!cover(exec, a, &rows[i])) return false;   // twice is as once
  for (int i = 0; i < count && races; i++) remember(exec, a, &rows[i], writes);
  for (int i = 0; i < count && writes; i++) mark_written(exec, a, &rows[i]);
  return true;
}

bool sim_quick_judge_rows(SimExec *exec, const SimShape *s, uint64_t offset) {
  const SimAlloc *a = s->span.alloc;
  if (exec->hooks || (exec->checks & SIM_CHECK_RACE && exec->block.async_copies)) return false;
  if (s->form == SIM_FORM_ROW) {
    const Row row = {offset, 0, SIM_LANES};
    return offset % SIM_LINE ? judge_words(exec, a, &row, 1, s->is_store) : judge_line(exec, a, &row, s->is_store);
  }
  const Row halves[] = {{offset, 0, HALF}, {offset + s->places[HALF], HALF, HALF}};
  return judge_words(exec, a, halves, 2, s->is_store);
}
