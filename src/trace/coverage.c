// coverage.c: which elements of a buffer were written, line by line, and where that is not enough element by element.
#include "trace/coverage.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"

enum { LANES = 32, LINE = 16, PIECE = 1024 /* elements that get entries together */, MOST_ROWS = 1 << 16 };
static const size_t MOST_MEMORY = 512u << 20;   // of all entries of a buffer

// Who wrote: block + 1 above, then the thread. Of a line: that of its first element, and how many elements each lane
// stored (1 << SPREAD). MET: written by an atomic, nobody's name is kept. TWICE: by several blocks.
enum { THREAD = 1023, TWICE = 1 << 10, MET = 1 << 11, SPREAD_SHIFT = 12, SPREAD = 7 << SPREAD_SHIFT, BLOCK_SHIFT = 16 };
#define APART UINT64_MAX                        // a line whose elements have entries of their own
typedef _Atomic uint64_t Entry;

typedef struct Piece { Entry entries[PIECE]; } Piece;

struct TraceCover {
  uint64_t base, size, count;
  uint32_t elem;
  Entry *lines;
  Piece *_Atomic *pieces;
  _Atomic size_t memory;
  _Atomic bool gave_up;
  _Atomic bool is_full;                         // every element was written
  Entry meets;                                  // stores by which threads met, before that
  bool is_too_large;                            // a file may claim any size: nothing is counted
  atomic_flag lock;                             // guards what follows: the first element written by several blocks
  bool has_twice;
  uint64_t first_twice;
  uint32_t blocks[2], threads[2];
  int32_t pc;
};

static uint64_t line_count(const TraceCover *cover) { return (cover->count + LINE - 1) / LINE; }
static uint64_t piece_count(const TraceCover *cover) { return (cover->count + PIECE - 1) / PIECE; }

TraceCover *trace_cover_new(uint64_t base, uint64_t size, uint32_t elem) {
  TraceCover *cover = ls_alloc(sizeof *cover);
  cover->base = base;
  cover->elem = elem;
  cover->is_too_large = size / elem / LINE * sizeof *cover->lines > MOST_MEMORY;
  cover->count = cover->is_too_large ? 0 : size / elem;
  cover->size = cover->count * elem;
  cover->lines = ls_alloc(sizeof *cover->lines * (size_t)(line_count(cover) + 1));
  cover->pieces = ls_alloc(sizeof *cover->pieces * (size_t)(piece_count(cover) + 1));
  atomic_flag_clear(&cover->lock);
  return cover;
}

static void free_pieces(TraceCover *cover) {
  for (uint64_t i = 0; i < piece_count(cover); i++) {
    free(cover->pieces[i]);
    cover->pieces[i] = NULL;
  }
}

void trace_cover_free(TraceCover *cover) {
  if (!cover) return;
  free_pieces(cover);
  free(cover->pieces);
  free(cover->lines);
  free(cover);
}

void trace_cover_clear(TraceCover *cover) {
  free_pieces(cover);
  memset((void *)cover->lines, 0, sizeof *cover->lines * (size_t)line_count(cover));
  cover->memory = 0;
  cover->meets = 0;
  cover->gave_up = cover->has_twice = false;
  cover->is_full = false;
}

// ---- entries -------------------------------------------------------------------------------------------------------

static uint64_t look(const Entry *entry) { return atomic_load_explicit(entry, memory_order_relaxed); }
static void put(Entry *entry, uint64_t value) { atomic_store_explicit(entry, value, memory_order_relaxed); }

// NULL: there are too many.
static Entry *entries_of_line(TraceCover *cover, uint64_t line) {
  Piece *_Atomic *place = &cover->pieces[line * LINE / PIECE];
  Piece *piece = *place, *fresh;
  if (!piece) {
    if (cover->gave_up || atomic_fetch_add(&cover->memory, sizeof *piece) > MOST_MEMORY) {
      cover->gave_up = true;
      return NULL;
    }
    fresh = ls_alloc(sizeof *fresh);
    if (atomic_compare_exchange_strong(place, &piece, fresh)) piece = fresh; else free(fresh);
  }
  return &piece->entries[line * LINE % PIECE];
}

// The entry of element k of a line, as a line that was stored whole has it.
static uint64_t of_line(uint64_t line, uint64_t k) {
  uint64_t spread = (line & SPREAD) >> SPREAD_SHIFT;
  return (line & ~(uint64_t)SPREAD) + (k >> spread);
}

// Makes entries for the elements of a line. Only the thread that stored all of it does that while it is anybody's.
static Entry *part(TraceCover *cover, uint64_t line) {
  uint64_t whole = look(&cover->lines[line]);
  Entry *entries = entries_of_line(cover, line);
  if (!entries || whole == APART) return entries;
  for (uint64_t k = 0; k < LINE && whole; k++) put(&entries[k], of_line(whole, k));
  put(&cover->lines[line], APART);
  return entries;
}

static uint32_t block_of(uint64_t entry) { return (uint32_t)((entry >> BLOCK_SHIFT) - 1); }

static void note_twice(TraceCover *cover, uint64_t element, uint64_t old, uint64_t now, int32_t pc) {
  while (atomic_flag_test_and_set(&cover->lock)) continue;
  if (!cover->has_twice || element < cover->first_twice) {
    cover->has_twice = true;
    cover->first_twice = element;
    cover->blocks[0] = block_of(old);
    cover->blocks[1] = block_of(now);
    cover->threads[0] = old & THREAD;
    cover->threads[1] = now & THREAD;
    cover->pc = pc;
  }
  atomic_flag_clear(&cover->lock);
}

static bool is_of_two(uint64_t old, uint64_t now) {
  return old >> BLOCK_SHIFT && now >> BLOCK_SHIFT && old >> BLOCK_SHIFT != now >> BLOCK_SHIFT;
}

// Threads of several blocks may have bytes of an element each.
static void set(TraceCover *cover, Entry *entry, uint64_t element, uint64_t mine, int32_t pc) {
  uint64_t old = look(entry), now;
  do {
    if (mine == MET && old) return;
    now = mine | (old & TWICE) | (is_of_two(old, mine) ? TWICE : 0);
    if (now == old) return;
  } while (!atomic_compare_exchange_weak_explicit(entry, &old, now, memory_order_relaxed, memory_order_relaxed));
  if (now & TWICE && !(old & TWICE)) note_twice(cover, element, old, now, pc);
}

// ---- stores --------------------------------------------------------------------------------------------------------

static uint64_t who(const TraceStore *store, uint32_t lane) {
  return ((uint64_t)store->block + 1) << BLOCK_SHIFT | ((store->warp * LANES + lane) & THREAD);
}

static void store_lane(TraceCover *cover, const TraceStore *store, uint32_t lane, uint64_t addr) {
  uint64_t offset = addr - cover->base;
  if (offset >= cover->size) return;
  uint64_t end = LS_MIN(offset + store->width, cover->size);
  uint64_t mine = store->meets ? MET : who(store, lane);
  for (uint64_t e = offset / cover->elem; e * cover->elem < end; e++) {
    Entry *entries = part(cover, e / LINE);
    if (entries) set(cover, &entries[e % LINE], e, mine, store->pc);
  }
}

// A store of whole lines; false for one that has entries of its elements, or would be another block's.
static bool store_line(TraceCover *cover, uint64_t line, uint64_t mine, int32_t pc) {
  uint64_t old = look(&cover->lines[line]);
  if (old == APART) return false;
  if (is_of_two(old, mine) && !(old & TWICE)) note_twice(cover, line * LINE, old, mine, pc);
  put(&cover->lines[line], mine | (old & TWICE) | (is_of_two(old, mine) ? TWICE : 0));
  return true;
}

// All lanes store whole lines together, each a power of two of elements: 1 << *spread.
static bool is_whole(const TraceCover *cover, const TraceStore *store, const uint64_t *addr, uint32_t *spread) {
  uint64_t offset = addr[0] - cover->base;
  if (store->mask != UINT32_MAX || store->meets) return false;
  if (store->width < cover->elem || store->width % cover->elem) return false;
  if (offset % ((uint64_t)cover->elem * LINE) || offset >= cover->size ||
      (uint64_t)store->width * LANES > cover->size - offset)
    return false;
  for (uint64_t i = 1; i < LANES && !store->in_row; i++) if (addr[i] != addr[0] + i * store->width) return false;
  uint32_t each = store->width / cover->elem;
  *spread = (uint32_t)__builtin_ctz(each);
  return each == 1u << *spread && each <= LINE;
}

static void store_lines(TraceCover *cover, const TraceStore *store, const uint64_t *addr, uint32_t spread) {
  uint64_t line = (addr[0] - cover->base) / cover->elem / LINE;
  uint32_t lanes = LINE >> spread;               // of a line
  for (uint32_t lane = 0; lane < LANES; lane += lanes, line++) {
    if (store_line(cover, line, who(store, lane) | (uint64_t)spread << SPREAD_SHIFT, store->pc)) continue;
    for (uint32_t i = lane; i < lane + lanes; i++) store_lane(cover, store, i, addr[i]);
  }
}

static bool is_line_full(const TraceCover *cover, uint64_t line) {
  uint64_t whole = look(&cover->lines[line]), end = LS_MIN(cover->count - line * LINE, (uint64_t)LINE);
  if (whole != APART) return whole != 0;
  const Entry *entries = &cover->pieces[line * LINE / PIECE]->entries[line * LINE % PIECE];
  for (uint64_t k = 0; k < end; k++) if (!look(&entries[k])) return false;
  return true;
}

// Looked at so seldom that it costs less than what it saves.
static bool is_full(TraceCover *cover) {
  uint64_t meets = look(&cover->meets) + 1;
  if (cover->is_full) return true;
  put(&cover->meets, meets);
  if (meets % (LINE + cover->count / 4)) return false;
  for (uint64_t line = 0; line < line_count(cover); line++) if (!is_line_full(cover, line)) return false;
  cover->is_full = true;
  return true;
}

// Where threads meet at elements that somebody has written, nothing changes: the usual case of an atomic.
static void meet_lanes(TraceCover *cover, const TraceStore *store, const uint64_t *addr) {
  if (is_full(cover)) return;
  uint64_t elem = cover->elem, shift = (uint64_t)__builtin_ctz(cover->elem);
  bool plain = store->width == elem && !(elem & (elem - 1));
  for (uint32_t left = store->mask; left; left &= left - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(left);
    uint64_t offset = addr[lane] - cover->base;
    if (plain && offset < cover->size && !(offset & (elem - 1))) {
      const Piece *piece = cover->pieces[(offset >> shift) / PIECE];
      if (piece && look(&piece->entries[(offset >> shift) % PIECE])) continue;
    }
    store_lane(cover, store, lane, addr[lane]);
  }
}

void trace_cover_store(TraceCover *cover, const TraceStore *store, const uint64_t *addr) {
  uint32_t spread;
  if (store->meets && cover->is_full) return;
  if (is_whole(cover, store, addr, &spread)) { store_lines(cover, store, addr, spread); return; }
  if (store->meets) { meet_lanes(cover, store, addr); return; }
  for (uint32_t i = 0; i < LANES; i++) if (store->mask >> i & 1) store_lane(cover, store, i, addr[i]);
}

// Nobody else stores to these bytes: what is fresh need not be exchanged.
static void store_part(TraceCover *cover, const TraceStore *store, uint64_t first, uint64_t end, uint64_t mine) {
  Entry *entries = part(cover, first / LINE);
  for (uint64_t e = first; entries && e < end; e++, mine++) {
    Entry *entry = &entries[e % LINE];
    if (look(entry)) set(cover, entry, e, mine, store->pc); else put(entry, mine);
  }
}

static void store_elements(TraceCover *cover, const TraceStore *store, uint64_t first, uint64_t end, uint64_t mine) {
  for (uint64_t last; first < end; mine += last - first, first = last) {
    last = LS_MIN(end, first / LINE * LINE + LINE);
    if (last - first == LINE && store_line(cover, first / LINE, mine, store->pc)) continue;
    store_part(cover, store, first, last, mine);
  }
}

bool trace_cover_row(TraceCover *cover, const TraceStore *store, uint64_t addr, uint32_t lane, uint32_t count) {
  uint64_t offset = addr - cover->base, mine = who(store, lane);
  if (store->width != cover->elem || offset >= cover->size) return false;
  uint32_t shift = (uint32_t)__builtin_ctz(store->width);
  uint64_t first = offset >> shift, end = first + count;
  if (first << shift != offset || end > cover->count) return false;
  Entry *lines = &cover->lines[first / LINE];
  bool fresh = first % LINE == 0 && !look(&lines[0]);
  if (fresh && count == LINE) {
    put(&lines[0], mine);
  } else if (fresh && count == 2 * LINE && !look(&lines[1])) {
    put(&lines[0], mine);
    put(&lines[1], mine + LINE);
  } else {
    store_elements(cover, store, first, end, mine);
  }
  return true;
}

// ---- the sum -------------------------------------------------------------------------------------------------------

static void count_element(TraceCoverage *out, uint64_t element, uint64_t entry) {
  if (!entry) return;
  uint64_t from = out->written ? out->last_written + 1 : 0;
  if (element > from) {                          // a gap before it
    if (!out->never_written) out->first_never = from;
    if (out->written) {
      if (!out->holes) out->first_hole = from;
      out->holes += element - from;
      out->gaps++;
    }
    out->never_written += element - from;
  }
  if (!out->written) out->first_written = element;
  out->written++;
  out->last_written = element;
  out->written_twice += (entry & TWICE) != 0;
}

// `count` elements in a row, at least one, with one entry.
static void count_row(TraceCoverage *out, uint64_t first, uint64_t count, uint64_t entry) {
  count_element(out, first, entry);
  out->written += count - 1;
  out->last_written = first + count - 1;
  if (entry & TWICE) out->written_twice += count - 1;
}

// Are all these written, and none twice?
static bool are_plain(const Entry *entries, uint64_t count) {
  bool any_none = false;
  uint64_t any = 0;
  for (uint64_t k = 0; k < count; k++) {
    any |= look(&entries[k]);
    any_none |= !look(&entries[k]);
  }
  return !any_none && !(any & TWICE);
}

static void count_line(const TraceCover *cover, uint64_t line, TraceCoverage *out) {
  uint64_t whole = look(&cover->lines[line]), end = LS_MIN(cover->count - line * LINE, (uint64_t)LINE);
  if (!whole) return;
  if (whole != APART) { count_row(out, line * LINE, end, whole); return; }
  const Entry *entries = &cover->pieces[line * LINE / PIECE]->entries[line * LINE % PIECE];
  if (are_plain(entries, end)) { count_row(out, line * LINE, end, look(&entries[0])); return; }
  for (uint64_t k = 0; k < end; k++) count_element(out, line * LINE + k, look(&entries[k]));
}

// How many lines from there on are written whole, and not twice: mostly all of them. (APART has all bits.)
static uint64_t plain_lines(const TraceCover *cover, uint64_t line) {
  const Entry *first = &cover->lines[line], *end = &cover->lines[cover->count / LINE], *entry = first;
  for (; entry < end; entry++) {
    uint64_t whole = look(entry);
    if (!whole || whole & TWICE) break;
  }
  return (uint64_t)(entry - first);
}

bool trace_cover_sum(const TraceCover *cover, TraceCoverage *out) {
  *out = (TraceCoverage){.elements = cover->count, .pc = -1, .known_twice = true};
  for (uint64_t line = 0, plain; line < line_count(cover); line += plain ? plain : 1) {
    plain = plain_lines(cover, line);
    if (plain) count_row(out, line * LINE, plain * LINE, look(&cover->lines[line]));
    else count_line(cover, line, out);
  }
  uint64_t rest = out->written ? out->last_written + 1 : 0;
  if (rest < cover->count && !out->never_written) out->first_never = rest;
  out->never_written += cover->count - rest;
  if (cover->has_twice) {
    out->first_twice = cover->first_twice;
    memcpy(out->blocks, cover->blocks, sizeof out->blocks);
    memcpy(out->threads, cover->threads, sizeof out->threads);
    out->pc = cover->pc;
  }
  return !cover->gave_up && !cover->is_too_large;
}

// ---- the section COVR ----------------------------------------------------------------------------------------------

void trace_coverages_fini(TraceCoverages *coverages) {
  free(coverages->items);
  *coverages = (TraceCoverages){0};
}

void trace_coverages_set(TraceCoverages *coverages, const TraceCoverage *items, int count) {
  trace_coverages_fini(coverages);
  coverages->items = ls_alloc(((size_t)count + 1) * sizeof *items);
  if (count) memcpy(coverages->items, items, (size_t)count * sizeof *items);
  coverages->count = count;
  coverages->known = true;
}

static void put_coverage(TraceBytes *bytes, const TraceCoverage *c) {
  const uint64_t numbers[] = {(uint64_t)c->arg, c->elements, c->written, c->never_written, c->first_never,
                              c->first_written, c->last_written, c->holes, c->gaps, c->first_hole, c->known_twice};
  for (int i = 0; i < LS_COUNT(numbers); i++) trace_put_varint(bytes, numbers[i]);
  if (!c->known_twice) return;
  trace_put_varint(bytes, c->written_twice);
  if (!c->written_twice) return;
  trace_put_varint(bytes, c->first_twice);
  for (int i = 0; i < 2; i++) {
    trace_put_varint(bytes, c->blocks[i]);
    trace_put_varint(bytes, c->threads[i]);
  }
  trace_put_svarint(bytes, (uint64_t)(int64_t)c->pc);
}

void trace_put_coverages(TraceBytes *bytes, const TraceCoverages *coverages) {
  for (int i = 0; i < coverages->count; i++) put_coverage(bytes, &coverages->items[i]);
}

static void get_twice(TraceCursor *cursor, const Launch *launch, TraceCoverage *c) {
  c->known_twice = trace_get_bounded(cursor, 1) != 0;
  if (!c->known_twice) return;
  c->written_twice = trace_get_bounded(cursor, c->written);
  if (!c->written_twice) return;
  c->first_twice = trace_get_bounded(cursor, c->elements - 1);
  for (int i = 0; i < 2; i++) {
    c->blocks[i] = (uint32_t)trace_get_bounded(cursor, launch_blocks(launch) - 1);
    c->threads[i] = (uint32_t)trace_get_bounded(cursor, launch_threads(launch) - 1);
  }
  c->pc = trace_get_pc(cursor, 0);
}

// What contradicts itself is damage. Which arguments there are is for whoever has the launch: the trace of a runner has
// none.
static void get_coverage(TraceCursor *cursor, const Launch *launch, TraceCoverage *c) {
  *c = (TraceCoverage){.pc = -1};
  c->arg = (int32_t)trace_get_bounded(cursor, MOST_ROWS);
  c->elements = trace_get_bounded(cursor, LAUNCH_MAX_BYTES);
  uint64_t last = c->elements ? c->elements - 1 : 0;
  c->written = trace_get_bounded(cursor, c->elements);
  c->never_written = trace_get_bounded(cursor, c->elements - c->written);
  uint64_t *const places[] = {&c->first_never, &c->first_written, &c->last_written};
  for (int i = 0; i < LS_COUNT(places); i++) *places[i] = trace_get_bounded(cursor, last);
  c->holes = trace_get_bounded(cursor, c->never_written);
  c->gaps = trace_get_bounded(cursor, c->holes);
  c->first_hole = trace_get_bounded(cursor, last);
  get_twice(cursor, launch, c);
  if (c->written + c->never_written != c->elements || c->last_written < c->first_written) trace_cursor_fail(cursor);
}

void trace_get_coverages(TraceCursor *cursor, uint32_t count, const Launch *launch, TraceCoverages *coverages) {
  trace_coverages_fini(coverages);
  if (count > MOST_ROWS) { trace_cursor_fail(cursor); return; }
  coverages->items = ls_alloc(((size_t)count + 1) * sizeof *coverages->items);
  coverages->known = true;
  for (uint32_t i = 0; i < count && !cursor->bad; i++)
    get_coverage(cursor, launch, &coverages->items[coverages->count++]);
  if (cursor->bad) trace_coverages_fini(coverages);
}
