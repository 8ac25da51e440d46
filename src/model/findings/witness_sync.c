// witness_sync.c: who wrote and read each word last, in which epoch, and what follows for the barriers in between.
#include "model/findings/witness_sync.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { WORD = 4, SECTOR = 32, WARPS = 32 };
enum { MOST_WORDS = 1 << 16, FIRST_ROOM = 1024, MOST_NEEDS = 4096, MOST_BARRIERS = 1 << 16 };

// Warps and epochs count from 1: 0 is nobody and never. What happens in one epoch is in no order: only what happened
// in those before counts, and what happens now has to wait until it is one of them.
enum { MANY = 255 };                           // warps: whoever asks, another one is among them
typedef struct Word {
  uint32_t wrote;                              // before: the last write,
  uint32_t read, read_other;                   // the first read since then, and the first one of another warp
  uint32_t now;                                // the epoch that the following are of
  uint8_t writer, reader, other;
  uint8_t now_writer, now_reader;
} Word;
typedef struct Cell { uint64_t key; Word word; } Cell;   // key: sector + 1; 0: nothing here

struct WitnessSync {
  Word *words; uint32_t word_count;            // of shared memory
  Cell *cells; uint32_t room, count;           // of global memory, by sector
  uint32_t epoch;                              // of what happens now, from 1
  uint32_t waiting[WARPS];                     // lanes at the barrier
  WitnessBarrier *barriers; int barrier_count, barrier_capacity;
  WitnessNeed *needs; int need_count, need_capacity;
  WitnessNeed last;
  bool open;                                   // somebody has come to the barrier that will end this epoch
  bool unclear;
};

WitnessSync *witness_sync_new(void) {
  WitnessSync *sync = ls_alloc(sizeof *sync);
  sync->epoch = 1;
  return sync;
}

void witness_sync_free(WitnessSync *sync) {
  if (!sync) return;
  free(sync->words);
  free(sync->cells);
  free(sync->barriers);
  free(sync->needs);
  free(sync);
}

bool witness_sync_is_clear(const WitnessSync *sync) { return !sync->unclear; }

const WitnessBarrier *witness_sync_barriers(const WitnessSync *sync, int *count) {
  *count = sync->barrier_count;
  return sync->barriers;
}

const WitnessNeed *witness_sync_needs(const WitnessSync *sync, int *count) {
  *count = sync->need_count;
  return sync->needs;
}

// ---- barriers ------------------------------------------------------------------------------------------------------

static void release(WitnessSync *sync) {
  memset(sync->waiting, 0, sizeof sync->waiting);
  sync->open = false;
  sync->epoch++;
}

static void arrive(WitnessSync *sync, const TraceEvent *event) {
  if (event->barrier_id != 0 || event->flags & TRACE_BAR_ARRIVE || event->warp >= WARPS ||
      sync->barrier_count == MOST_BARRIERS) {
    sync->unclear = true;
    return;
  }
  if (!sync->open) {
    LS_PUSH(sync->barriers, sync->barrier_count, sync->barrier_capacity, (WitnessBarrier){.pc = event->pc});
    sync->open = true;
  }
  WitnessBarrier *barrier = &sync->barriers[sync->barrier_count - 1];
  if (barrier->pc != event->pc) barrier->pc = -1;
  barrier->warps++;
  sync->waiting[event->warp] |= event->mask;
  if (event->flags & TRACE_LAST_ARRIVAL) release(sync);
}

// ---- words ---------------------------------------------------------------------------------------------------------

// What happened in epoch `then` has to be over before what happens now.
static void need(WitnessSync *sync, uint32_t then) {
  int32_t first = (int32_t)then - 1, last = (int32_t)sync->epoch - 2;   // barriers count from 0
  if (last < first || last >= sync->barrier_count) return;
  if (first == last) {
    sync->barriers[first].needed = true;
    return;
  }
  if (sync->last.first == first && sync->last.last == last) return;
  sync->last = (WitnessNeed){first, last};
  for (int i = sync->need_count - 1, tries = 0; i >= 0 && tries < 64; i--, tries++)
    if (sync->needs[i].first == first && sync->needs[i].last == last) return;
  if (sync->need_count == MOST_NEEDS) sync->unclear = true;
  else LS_PUSH(sync->needs, sync->need_count, sync->need_capacity, sync->last);
}

static void add_reader(Word *w, uint8_t warp, uint32_t epoch) {
  if (!w->reader) w->reader = warp, w->read = epoch;
  else if (!w->other && (warp != w->reader || warp == MANY)) w->other = warp, w->read_other = epoch;
}

// What happened in the epoch before is over.
static void settle(Word *w, uint32_t epoch) {
  if (w->now == epoch) return;
  if (w->now_writer) *w = (Word){.wrote = w->now, .writer = w->now_writer, .now = w->now, .now_reader = w->now_reader};
  if (w->now_reader) add_reader(w, w->now_reader, w->now);
  w->now = epoch;
  w->now_writer = w->now_reader = 0;
}

static bool is_another(uint8_t who, uint8_t warp) { return who && (who != warp || who == MANY); }

static uint8_t joined(uint8_t who, uint8_t warp) { return who && who != warp ? MANY : warp; }

static void read_word(WitnessSync *sync, Word *w, uint8_t warp) {
  settle(w, sync->epoch);
  if (is_another(w->writer, warp)) need(sync, w->wrote);
  w->now_reader = joined(w->now_reader, warp);
}

static void write_word(WitnessSync *sync, Word *w, uint8_t warp) {
  settle(w, sync->epoch);
  if (is_another(w->writer, warp)) need(sync, w->wrote);
  if (is_another(w->reader, warp)) need(sync, w->read);
  if (is_another(w->other, warp)) need(sync, w->read_other);
  w->now_writer = joined(w->now_writer, warp);
}

static Word *shared_word(WitnessSync *sync, uint64_t addr) {
  uint64_t index = addr / WORD;
  if (index >= MOST_WORDS) return NULL;
  if (index >= sync->word_count) {
    uint32_t count = (uint32_t)LS_MIN(ls_align_up(2 * index + 1, 1024), (uint64_t)MOST_WORDS);
    sync->words = ls_realloc(sync->words, sizeof *sync->words * count);
    memset(sync->words + sync->word_count, 0, sizeof *sync->words * (count - sync->word_count));
    sync->word_count = count;
  }
  return &sync->words[index];
}

static Cell *find_cell(const WitnessSync *sync, uint64_t key) {
  uint32_t at = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32) & (sync->room - 1);
  while (sync->cells[at].key && sync->cells[at].key != key) at = (at + 1) & (sync->room - 1);
  return &sync->cells[at];
}

static void grow(WitnessSync *sync) {
  Cell *old = sync->cells;
  uint32_t room = sync->room;
  sync->room = room ? 2 * room : FIRST_ROOM;
  sync->cells = ls_alloc(sizeof *sync->cells * sync->room);
  for (uint32_t i = 0; i < room; i++)
    if (old[i].key) *find_cell(sync, old[i].key) = old[i];
  free(old);
}

static Word *global_word(WitnessSync *sync, uint64_t addr) {
  if (sync->count == MOST_WORDS) return NULL;
  if (2 * sync->count >= sync->room) grow(sync);
  Cell *cell = find_cell(sync, addr / SECTOR + 1);
  if (!cell->key) cell->key = addr / SECTOR + 1, sync->count++;
  return &cell->word;
}

static void touch(WitnessSync *sync, Word *w, const TraceEvent *event) {
  uint8_t warp = (uint8_t)(event->warp + 1);
  if (!w) sync->unclear = true;
  else if (event->kind == TRACE_LOAD) read_word(sync, w, warp);
  else write_word(sync, w, warp);
}

static void access_lanes(WitnessSync *sync, const TraceEvent *event) {
  bool is_shared = event->space == TRACE_SHARED;
  uint64_t unit = is_shared ? WORD : SECTOR, before = UINT64_MAX;
  for (uint32_t left = event->mask; left && !sync->unclear; left &= left - 1) {
    uint64_t addr = event->addr[__builtin_ctz(left)], last = (addr + event->width - 1) / unit;
    for (uint64_t at = addr / unit; at <= last; at++) {
      if (at == before) continue;
      before = at;
      touch(sync, is_shared ? shared_word(sync, at * unit) : global_word(sync, at * unit), event);
    }
  }
}

void witness_sync_event(WitnessSync *sync, const TraceEvent *event) {
  if (sync->unclear) return;
  if (event->kind == TRACE_BARRIER) {
    arrive(sync, event);
    return;
  }
  if (event->warp < WARPS && sync->waiting[event->warp] & event->active) release(sync);   // the others had ended
  bool is_access = event->kind == TRACE_LOAD || event->kind == TRACE_STORE || event->kind == TRACE_ATOM;
  if (is_access && event->addr && event->width && (event->space == TRACE_SHARED || event->space == TRACE_GLOBAL))
    access_lanes(sync, event);
}
