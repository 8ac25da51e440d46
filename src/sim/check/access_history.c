// access_history.c: who accessed global memory last, for races.c: tables per piece of a buffer, made when a piece is first
// accessed, up to a limit for all of them.
//
// A word has one entry as long as one warp's access can be told in it: all its bytes or some of one lane's, or bytes of
// lanes in a row. Otherwise it is split: an entry for every byte, in a pool.
#include "sim/check/access_history.h"
#include <stdlib.h>
#include <string.h>
#include "sim/check/quick.h"
#include "sim/core/exec.h"

enum { WORDS = SIM_PIECE_BYTES / 4, LINES = SIM_PIECE_BYTES / SIM_LINE, MOST_SPLITS = 2 << 20 };
static const size_t MOST_MEMORY = 512u << 20;   // of all tables; what is first accessed beyond that is not watched

static SimHistoryPiece **pieces_of(const SimExec *exec, const SimAlloc *a) { return &exec->history->pieces[a->number]; }

SimHistoryPiece *sim_history_piece_late(SimExec *exec, const SimAlloc *a, uint64_t offset) {
  SimHistoryPiece **pieces = pieces_of(exec, a);
  if (!*pieces) {
    *pieces = ls_alloc((size_t)(a->size / SIM_PIECE_BYTES + 1) * sizeof **pieces);
    if (!a->may_be_written) sim_quick_forget(exec);
  }
  return &(*pieces)[offset / SIM_PIECE_BYTES];
}

SimHistoryPiece *sim_history_piece(SimExec *exec, const SimAlloc *a, uint64_t offset) {
  SimHistoryPiece *piece = sim_history_piece_late(exec, a, offset);
  if (piece->late) sim_history_note_late(piece);
  return piece;
}

void sim_history_forget(SimExec *exec) {
  SimHistory *h = exec->history;
  for (int i = 0; i < exec->memory->alloc_count; i++) {
    const SimAlloc *a = &exec->memory->allocs[i];
    SimHistoryPiece **pieces = pieces_of(exec, a);
    for (uint64_t k = 0; *pieces && k <= a->size / SIM_PIECE_BYTES; k++) free((*pieces)[k].late);
    free(*pieces);
    *pieces = NULL;
  }
  ls_arena_free(h->tables);
  h->tables = NULL;
  h->bytes = 0;
  h->split_count = 0;
  h->free_split = 0;
}

void sim_history_new(SimExec *exec) {
  exec->history = ls_alloc(sizeof *exec->history);
  exec->history->pieces = ls_alloc(sizeof *exec->history->pieces * (size_t)(exec->memory->alloc_count + 1));
}

void sim_history_free(SimExec *exec) {
  if (!exec->history) return;
  sim_history_forget(exec);
  free(exec->history->pieces);
  free(exec->history->splits);
  free(exec->history);
}

// A table of so many bytes; NULL: there are too many.
static void *room(SimExec *exec, size_t bytes) {
  if (exec->history->bytes + bytes > MOST_MEMORY) return NULL;
  exec->history->bytes += bytes;
  if (!exec->history->tables) exec->history->tables = ls_arena_new();
  return ls_arena_alloc(exec->history->tables, bytes);
}

static SimLastAccess *table(SimExec *exec, SimLastAccess **entries, size_t count) {
  return *entries ? *entries : (*entries = room(exec, count * sizeof **entries));
}

// ---- words in parts ------------------------------------------------------------------------------------------------

// A number from 1 on of four entries, 0: there are too many.
static uint32_t new_split(SimExec *exec) {
  uint32_t number = exec->history->free_split;
  if (number) {
    exec->history->free_split = exec->history->splits[number - 1].bytes[0].info;
    return number;
  }
  if (exec->history->split_count >= MOST_SPLITS) return 0;
  LS_PUSH(exec->history->splits, exec->history->split_count, exec->history->split_capacity, ((SimSplit){0}));
  return (uint32_t)exec->history->split_count;
}

static void end_split(SimExec *exec, SimLastAccess *o) {
  if (o->block != SIM_ACCESS_SPLIT) return;
  exec->history->splits[o->info - 1].bytes[0].info = exec->history->free_split;
  exec->history->free_split = o->info;
}

static uint32_t lane_of(SimLastAccess o) { return o.info >> 5 & 31; }

uint32_t sim_access_lane(const SimLastAccess *o, uint32_t byte) {
  uint32_t step = o->part >> 4, first = (uint32_t)__builtin_ctz(o->part & 15);
  return (lane_of(*o) + (step ? (byte - first) / step : 0)) & 31;
}

static void split(SimExec *exec, SimLastAccess *o, SimLastAccess now) {
  SimSplit parts = {0};
  uint32_t number = new_split(exec);
  for (uint32_t b = 0; b < 4; b++) {
    SimLastAccess *byte = &parts.bytes[b];
    if (now.part >> b & 1) *byte = now;
    else if (o->part >> b & 1) {
      *byte = *o;
      byte->info = (o->info & ~(31u << 5)) | sim_access_lane(o, b) << 5;
    }
    if (byte->block) byte->part = 1u << b;
  }
  *o = number ? (SimLastAccess){.block = SIM_ACCESS_SPLIT, .info = number} : (SimLastAccess){0};
  if (number) exec->history->splits[number - 1] = parts;
}

// The same lane again, or the next lane of the same instruction: one entry tells of both. False if it cannot.
static bool merge(SimLastAccess *o, SimLastAccess now) {
  uint32_t width = (uint32_t)sim_popcount(now.part), step = o->part >> 4, lanes = 31u << 5;
  uint32_t first = (uint32_t)__builtin_ctz(o->part & 15), at = (uint32_t)__builtin_ctz(now.part);
  if (o->block != now.block || o->writer != now.writer) return false;
  if (!step && lane_of(*o) == lane_of(now)) {
    o->info = now.info;
    o->part |= now.part;
    return true;
  }
  bool in_row = (o->info & ~lanes) == (now.info & ~lanes) && at > first &&
                (step == width || (!step && (uint32_t)sim_popcount(o->part & 15) == width));
  if (!in_row || lane_of(now) != lane_of(*o) + (at - first) / width) return false;
  o->part |= now.part | width << 4;
  return true;
}

static void set_word(SimExec *exec, SimLastAccess *o, SimLastAccess now) {
  if (now.part == 15 || !o->block || (o->block != SIM_ACCESS_SPLIT && !(o->part & 15 & ~now.part))) {
    end_split(exec, o);
    *o = now;
  } else if (o->block == SIM_ACCESS_SPLIT) {
    for (uint32_t b = 0; b < 4; b++) {
      if (!(now.part >> b & 1)) continue;
      exec->history->splits[o->info - 1].bytes[b] = now;
      exec->history->splits[o->info - 1].bytes[b].part = 1u << b;
    }
  } else if (!merge(o, now)) {
    split(exec, o, now);
  }
}

static void forget_in_piece(SimExec *exec, SimHistoryPiece *w, uint64_t first, uint64_t end) {
  sim_history_note_late(w);
  for (uint64_t word = first; word < end; word++) {
    if (w->words) { end_split(exec, &w->words[word]); w->words[word] = (SimLastAccess){0}; }
    if (w->readers) memset(&w->readers[word * 2], 0, 2 * sizeof *w->readers);
    if (w->strong_writes) w->strong_writes[word] = (SimStrongWrites){0};
    if (w->strong_reads) w->strong_reads[word] = (SimStrongReads){0};
  }
  for (uint64_t line = first * 4 / SIM_LINE; line * SIM_LINE < end * 4; line++) {
    if (w->lines) w->lines[line] = (SimLastAccess){0};
    if (w->line_readers) memset(&w->line_readers[line * 2], 0, 2 * sizeof *w->line_readers);
  }
}

void sim_history_forget_range(SimExec *exec, const SimAlloc *a, uint64_t offset, uint64_t size) {
  SimHistoryPiece *pieces = *pieces_of(exec, a);
  uint64_t word = offset / 4, end = (offset + size) / 4;
  while (pieces && word < end) {
    uint64_t last = LS_MIN(end, word / WORDS * WORDS + WORDS);
    forget_in_piece(exec, &pieces[word / WORDS], word % WORDS, last - word / WORDS * WORDS);
    word = last;
  }
}

void sim_history_write(SimExec *exec, SimHistoryPiece *w, uint64_t word, SimLastAccess now) {
  SimLastAccess *words = table(exec, &w->words, WORDS);
  if (words) set_word(exec, &words[word % WORDS], now);
}

// Two different warps, the latest first. Of a warp's reads of single bytes those of the last lane are kept.
static void set_reader(SimLastAccess *readers, SimLastAccess now, bool is_line) {
  bool same = readers[0].block == now.block && (readers[0].writer & 31) == (now.writer & 31);
  if (same && !is_line && now.part != 15 && readers[0].block && merge(&readers[0], now)) return;
  if (!same) readers[1] = readers[0];
  readers[0] = now;
}

void sim_history_read(SimExec *exec, SimHistoryPiece *w, uint64_t word, SimLastAccess now) {
  SimLastAccess *readers = table(exec, &w->readers, (size_t)WORDS * 2);
  if (readers) set_reader(&readers[word % WORDS * 2], now, false);
}

SimStrongWrites *sim_history_strong_writes(SimExec *exec, SimHistoryPiece *w) {
  if (!w->strong_writes) w->strong_writes = room(exec, WORDS * sizeof *w->strong_writes);
  return w->strong_writes;
}

void sim_history_strong(SimExec *exec, SimHistoryPiece *w, uint64_t word, const SimStrongAccess *now) {
  bool reads = !(now->how & SIM_WRITES) || now->how & SIM_LOOKS;
  if (now->how & SIM_WRITES) {
    sim_history_strong_writes(exec, w);
    w->has_unmet |= !sim_is_met(now->how);
  }
  if (reads && !w->strong_reads) w->strong_reads = room(exec, WORDS * sizeof *w->strong_reads);
  if (now->how & SIM_WRITES && w->strong_writes) sim_strong_note(w->strong_writes[word % WORDS].last, now);
  if (!(now->how & SIM_WRITES) && w->strong_reads) sim_strong_note(w->strong_reads[word % WORDS].last, now);
  if (reads && w->strong_reads) sim_strong_note_look(&w->strong_reads[word % WORDS], now);
}

static void note_late(void *writes, uint32_t word, const SimStrongAccess *now, uint32_t info) {
  sim_strong_note_as(((SimStrongWrites *)writes)[word].last, now, info);
}

bool sim_history_late(SimExec *exec, SimHistoryPiece *w, const SimStrongAccess *now, uint64_t first, uint32_t mask) {
  return sim_late_atomics_add(&w->late, exec->lane_ops, now, exec->addr, first, mask, note_late, w->strong_writes);
}

void sim_history_note_late(SimHistoryPiece *w) { sim_late_atomics_note(w->late, note_late, w->strong_writes); }

void sim_history_line(SimExec *exec, SimHistoryPiece *w, uint64_t line, SimLastAccess now, bool writes) {
  SimLastAccess *lines = writes ? table(exec, &w->lines, LINES) : table(exec, &w->line_readers, (size_t)LINES * 2);
  if (!lines) return;
  if (writes) lines[line % LINES] = now; else set_reader(&lines[line % LINES * 2], now, true);
}

void sim_history_row(SimExec *exec, SimHistoryPiece *w, uint64_t word, uint32_t count, SimLastAccess now, bool writes) {
  SimLastAccess *to = writes ? table(exec, &w->words, WORDS) : table(exec, &w->readers, (size_t)WORDS * 2);
  if (!to) return;
  to += word % WORDS * (writes ? 1 : 2);
  for (const SimLastAccess *end = to + count; writes && to < end; to++, now.info += 1u << 5) *to = now;
  for (uint32_t i = 0; !writes && i < count; i++, now.info += 1u << 5) set_reader(&to[i * 2], now, false);
}
