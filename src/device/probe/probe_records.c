// probe_records.c: finds chunks, brings those of a block together, and merges their records.
#include "device/probe/probe_records.h"

#include "device/probe/probe_multi.h"
#include "device/probe/probe_numbers.h"
#include "device/probe/probe_room.h"
#include "sim/core/form.h"

enum { DIGIT_BITS = 20, DIGITS = 1 << DIGIT_BITS, LANES = 32, LEAST_CHUNK = 2 };
#define SLACK 0xffff0000u      // a clock that is a little before the one before it was read later all the same

typedef struct Chunk {
  uint64_t clock;              // of its next record, or of its start
  uint32_t block, unit, end;   // the next record, in units
  uint16_t warp;
} Chunk;

struct ProbeRecords {
  const Probe *probe;
  const uint8_t *memory;
  uint32_t warps;
  ProbeNumbers *numbers;       // of the records of each site
  uint64_t end;                // of the units that were used
  Chunk *chunks; int count, capacity, next;
  Chunk *heap; int heap_count, heap_capacity;   // chunks that are being read, the one with the oldest record first
  uint64_t units, done, cut;
};

// ---- one record ----------------------------------------------------------------------------------------------------

uint32_t probe_lanes_of(const Probe *probe, uint32_t warp) {
  uint32_t left = launch_threads(probe->launch) - warp * LANES;
  return left >= LANES ? UINT32_MAX : (1u << left) - 1;
}

static const uint8_t *unit_at(const ProbeRecords *r, uint64_t unit) {
  return r->memory + r->probe->at_records + unit * PROBE_UNIT;
}

static uint32_t form_of(uint32_t forms, int array) {
  return forms >> (PROBE_FORM_BITS * array) & ((1u << PROBE_FORM_BITS) - 1);
}

static uint32_t array_units(const ProbeNumbers *n, int array, uint32_t form, uint32_t mask) {
  uint32_t count = (uint32_t)__builtin_popcount(mask);
  bool narrow = n->kind[array] != NUMBERS_WIDE;
  if (form == PROBE_WORDS) return (count + 3) / 4 + !narrow;
  return form == PROBE_LONGS ? (count + 1) / 2 : form == PROBE_EVEN;
}

static void read_row(const Probe *probe, const uint8_t *from, uint64_t to[LANES]) {
  ProbeRow row;
  memcpy(&row, from, sizeof row);
  int bits = probe_line_bits(probe), width = 1 << bits;
  for (int lane = 0; lane < LANES; lane++)
    to[lane] = row.origin + (uint64_t)((int64_t)row.stride * (lane & (width - 1)) + (int64_t)row.step * (lane >> bits));
}

static void read_words(const uint8_t *from, bool narrow, uint32_t mask, uint64_t to[LANES]) {
  uint32_t upper = 0, lower[LANES], place = 0;
  if (!narrow) memcpy(&upper, from, sizeof upper);
  memcpy(lower, narrow ? from : from + PROBE_UNIT, sizeof *lower * (size_t)__builtin_popcount(mask));
  for (uint32_t left = mask; left; left &= left - 1) to[__builtin_ctz(left)] = (uint64_t)upper << 32 | lower[place++];
}

static void read_longs(const uint8_t *from, uint32_t mask, uint64_t to[LANES]) {
  for (uint32_t left = mask; left; left &= left - 1, from += sizeof *to)
    memcpy(&to[__builtin_ctz(left)], from, sizeof *to);
}

static const uint8_t *read_array(const ProbeRecords *r, const ProbeTold *told, int array, const uint8_t *from,
                                 uint64_t to[LANES]) {
  const ProbeNumbers *n = &r->numbers[told->site];
  uint32_t form = form_of(told->forms, array);
  switch (form) {
  case PROBE_EVEN: read_row(r->probe, from, to); break;
  case PROBE_WORDS: read_words(from, n->kind[array] != NUMBERS_WIDE, told->mask, to); break;
  case PROBE_LONGS: read_longs(from, told->mask, to); break;
  default: for (int lane = 0; lane < LANES; lane++) to[lane] = n->known[array];
  }
  return from + array_units(n, array, form, told->mask) * PROBE_UNIT;
}

// Every lane has the value of the one that it asked (take_members in probe_emit.c).
static void shuffle(const PtxInstr *in, const uint64_t members[LANES], const uint64_t values[LANES],
                    uint64_t to[LANES]) {
  for (int lane = 0; lane < LANES; lane++) {
    uint32_t by = (uint32_t)(members[lane] >> 32), control = (uint32_t)(members[lane] >> 40);
    int from = sim_shuffle_source((PtxMode)in->mode, lane, by, control);
    to[lane] = values[from < 0 ? lane : from];
  }
}

void probe_records_read(const ProbeRecords *r, const ProbeTold *told, uint32_t *yes,
                        uint64_t arrays[PROBE_ARRAYS][LANES]) {
  const ProbeSite *site = &r->probe->sites[told->site];
  const uint8_t *from = told->rest;
  if (told->is_shaped) {
    probe_shape_addresses(r->probe, site, told->warp, told->active, told->first, arrays[0]);
    return;
  }
  if (r->numbers[told->site].asks) {
    memcpy(yes, from, sizeof *yes);
    *yes &= told->mask;
    from += PROBE_UNIT;
  }
  const ProbeNumbers *n = &r->numbers[told->site];
  for (int i = 0; i < n->count; i++) from = read_array(r, told, i, from, arrays[i]);
  if (n->count > 2 && n->kind[2] == NUMBERS_SHUFFLED && form_of(told->forms, 2) == PROBE_KNOWN)
    shuffle(&r->probe->module->code[site->pc], arrays[0], arrays[1], arrays[2]);
}

static bool is_shaped(const ProbeRecords *r, const ProbeRecord *record) {
  uint32_t site = record->code >> PROBE_SITE_SHIFT;
  return (record->code & PROBE_FORMS & ~PROBE_PART) == PROBE_KNOWN && probe_has_shape(&r->probe->sites[site - 1]);
}

static bool is_part(const ProbeRecord *record) { return record->code & PROBE_PART; }

static bool is_possible(const ProbeRecords *r, const Chunk *c, const ProbeRecord *record) {
  uint32_t site = record->code >> PROBE_SITE_SHIFT, lanes = probe_lanes_of(r->probe, c->warp);
  if (!site || site > (uint32_t)r->probe->site_count) return false;
  if (is_shaped(r, record) && !is_part(record)) return lanes == UINT32_MAX;
  if (!record->active || record->mask & ~record->active || record->active & ~lanes) return false;
  if (is_shaped(r, record)) return true;
  const ProbeNumbers *n = &r->numbers[site - 1];
  for (int i = 0; i < PROBE_ARRAYS; i++) {
    uint32_t form = form_of(record->code, i);
    bool follows = n->kind[i] == NUMBERS_SHUFFLED && record->mask == UINT32_MAX;
    bool agrees = form == PROBE_KNOWN ? follows || n->kind[i] == NUMBERS_NONE : n->kind[i] != NUMBERS_NONE;
    if (i >= n->count ? form != 0 : !agrees) return false;
    if (form == PROBE_LONGS && n->kind[i] != NUMBERS_WIDE) return false;
  }
  return true;
}

static uint32_t units_of(const ProbeRecords *r, const ProbeRecord *record) {
  const ProbeNumbers *n = &r->numbers[(record->code >> PROBE_SITE_SHIFT) - 1];
  uint32_t units = 1 + n->asks;
  if (is_shaped(r, record)) return is_part(record) ? PROBE_PART_UNITS : 1;
  for (int i = 0; i < n->count; i++) units += array_units(n, i, form_of(record->code, i), record->mask);
  return units;
}

// The record at the chunk's place; false: there is none, or none that can be.
static bool record_at(const ProbeRecords *r, const Chunk *c, ProbeRecord *record) {
  if (c->unit >= c->end) return false;
  memcpy(record, unit_at(r, c->unit), sizeof *record);
  return is_possible(r, c, record) && units_of(r, record) <= c->end - c->unit;
}

// ---- chunks --------------------------------------------------------------------------------------------------------

// The one that begins at a unit; how long it is, 0: there is none.
static uint32_t add_chunk(ProbeRecords *r, uint64_t unit) {
  ProbeChunk head;
  memcpy(&head, unit_at(r, unit), sizeof head);
  bool fits = head.units >= LEAST_CHUNK && head.units <= r->end - unit;
  if (!fits || head.warp >= r->warps || head.block >= r->probe->blocks) return 0;
  Chunk chunk = {.clock = head.clock, .block = head.block, .warp = head.warp, .unit = (uint32_t)unit + 1,
                 .end = (uint32_t)unit + head.units};
  LS_PUSH(r->chunks, r->count, r->capacity, chunk);
  r->units += head.units;
  return head.units;
}

static void find_chunks(ProbeRecords *r) {
  uint64_t pool = probe_pool(r->probe);
  for (uint64_t unit = 0; unit < pool; unit += (uint64_t)r->probe->own_units) add_chunk(r, unit);
  for (uint64_t unit = pool, units; unit < r->end && (units = add_chunk(r, unit)); unit += units) {}
}

// By DIGIT_BITS bits of the number of the block; those that are equal keep their order.
static void sort_by_digit(ProbeRecords *r, int shift) {
  uint64_t digits = LS_MIN(((r->probe->blocks - 1) >> shift) + 1, DIGITS);
  uint32_t *start = ls_alloc(sizeof *start * (size_t)(digits + 1));
  Chunk *sorted = ls_alloc(sizeof *sorted * (size_t)(r->count + 1));
  for (int i = 0; i < r->count; i++) start[(r->chunks[i].block >> shift) % DIGITS + 1]++;
  for (uint64_t digit = 0; digit < digits; digit++) start[digit + 1] += start[digit];
  for (int i = 0; i < r->count; i++) sorted[start[(r->chunks[i].block >> shift) % DIGITS]++] = r->chunks[i];
  free(r->chunks);
  free(start);
  r->chunks = sorted;
}

static int by_clock(const void *a, const void *b) {
  const Chunk *x = a, *y = b;
  if (x->clock != y->clock) return x->clock < y->clock ? -1 : 1;
  return x->unit < y->unit ? -1 : x->unit > y->unit;
}

static void sort_chunks(ProbeRecords *r) {
  for (int shift = 0; shift < 32 && (r->probe->blocks - 1) >> shift; shift += DIGIT_BITS) sort_by_digit(r, shift);
  for (int i = 0, end; i < r->count; i = end) {
    for (end = i + 1; end < r->count && r->chunks[end].block == r->chunks[i].block;) end++;
    qsort(r->chunks + i, (size_t)(end - i), sizeof *r->chunks, by_clock);
  }
}

ProbeRecords *probe_records_new(const Probe *probe, const uint8_t *memory) {
  ProbeRecords *r = ls_alloc(sizeof *r);
  ProbeHead head;
  memcpy(&head, memory, sizeof head);
  r->probe = probe;
  r->memory = memory;
  r->warps = launch_warps(probe->launch);
  r->numbers = ls_alloc(sizeof *r->numbers * (size_t)(probe->site_count + 1));
  for (int i = 0; i < probe->site_count; i++) r->numbers[i] = probe_numbers(probe, &probe->sites[i]);
  uint64_t pool = probe_pool(probe);
  r->end = pool + LS_MIN(head.units, probe->record_units - pool);
  find_chunks(r);
  sort_chunks(r);
  return r;
}

void probe_records_free(ProbeRecords *r) {
  if (!r) return;
  free(r->numbers);
  free(r->chunks);
  free(r->heap);
  free(r);
}

int probe_records_arrays(const ProbeRecords *r, uint32_t site) { return r->numbers[site].count; }
uint64_t probe_records_units(const ProbeRecords *r) { return r->units; }
uint64_t probe_records_cut(const ProbeRecords *r) { return r->cut; }
uint64_t probe_records_done(const ProbeRecords *r) { return r->done; }

// ---- merging -------------------------------------------------------------------------------------------------------

static bool is_before(const Chunk *a, const Chunk *b) { return by_clock(a, b) < 0; }

static void sink_down(ProbeRecords *r) {
  Chunk top = r->heap[0];
  int at = 0;
  for (int child; (child = 2 * at + 1) < r->heap_count; at = child) {
    if (child + 1 < r->heap_count && is_before(&r->heap[child + 1], &r->heap[child])) child++;
    if (!is_before(&r->heap[child], &top)) break;
    r->heap[at] = r->heap[child];
  }
  r->heap[at] = top;
}

static void add_to_heap(ProbeRecords *r, const Chunk *chunk) {
  LS_PUSH(r->heap, r->heap_count, r->heap_capacity, *chunk);
  int at = r->heap_count - 1;
  for (int parent; at && is_before(chunk, &r->heap[parent = (at - 1) / 2]); at = parent) r->heap[at] = r->heap[parent];
  r->heap[at] = *chunk;
}

// Behind the last record of a chunk there is nothing.
static bool is_cut(const ProbeRecords *r, const Chunk *chunk) {
  uint32_t code;
  if (chunk->unit >= chunk->end) return false;
  memcpy(&code, unit_at(r, chunk->unit), sizeof code);
  return code != 0;
}

// Goes to the clock of the record at the chunk's place.
static bool find_clock(ProbeRecords *r, Chunk *chunk) {
  ProbeRecord record;
  if (!record_at(r, chunk, &record)) {
    r->cut += is_cut(r, chunk);
    return false;
  }
  uint32_t later = record.clock - (uint32_t)chunk->clock;
  if (later < SLACK) chunk->clock += later;
  return true;
}

// Chunks of the block that is told that may have the oldest record; if none is told, those of the next block.
static void begin_chunks(ProbeRecords *r) {
  while (r->next < r->count) {
    Chunk chunk = r->chunks[r->next];
    if (r->heap_count && (chunk.block != r->heap[0].block || chunk.clock > r->heap[0].clock)) break;
    r->next++;
    r->done += chunk.end - chunk.unit + 1;
    if (find_clock(r, &chunk)) add_to_heap(r, &chunk);
  }
}

bool probe_records_next(ProbeRecords *r, ProbeTold *told) {
  ProbeRecord record;
  begin_chunks(r);
  if (!r->heap_count) return false;
  Chunk *chunk = &r->heap[0];
  memcpy(&record, unit_at(r, chunk->unit), sizeof record);
  *told = (ProbeTold){.site = (record.code >> PROBE_SITE_SHIFT) - 1, .forms = record.code & PROBE_FORMS,
                      .block = chunk->block, .warp = chunk->warp, .active = record.active, .mask = record.mask,
                      .rest = unit_at(r, chunk->unit + 1)};
  told->is_shaped = is_shaped(r, &record);
  if (told->is_shaped && is_part(&record)) {
    memcpy(&told->first, told->rest, sizeof told->first);
  } else if (told->is_shaped) {
    told->first = (uint64_t)record.mask << 32 | record.active;
    told->active = told->mask = UINT32_MAX;
  }
  chunk->unit += units_of(r, &record);
  if (!find_clock(r, chunk)) r->heap[0] = r->heap[--r->heap_count];
  if (r->heap_count) sink_down(r);
  return true;
}
