// measured.c: counts, block times and measures as bytes and back.
#include "trace/measured.h"

// ---- keeping -------------------------------------------------------------------------------------------------------

static void drop_measure(TraceMeasured *measured) {
  if (!measured->measure) return;
  free(measured->measure->date);
  free(measured->measure->driver);
  free(measured->measure);
  measured->measure = NULL;
}

void trace_measured_fini(TraceMeasured *measured) {
  free(measured->counts);
  free(measured->times);
  drop_measure(measured);
  *measured = (TraceMeasured){0};
}

static void *copied(const void *items, size_t size) {
  void *copy = ls_alloc(size);
  if (size) memcpy(copy, items, size);
  return copy;
}

void trace_measured_counts(TraceMeasured *measured, const TraceCount *counts, int count) {
  free(measured->counts);
  measured->counts = copied(counts, (size_t)count * sizeof *counts);
  measured->count_count = count;
}

static int by_start(const void *a, const void *b) {
  const TraceBlockTime *left = a, *right = b;
  if (left->start != right->start) return left->start < right->start ? -1 : 1;
  return left->block < right->block ? -1 : left->block > right->block;
}

void trace_measured_times(TraceMeasured *measured, const TraceBlockTime *times, int count) {
  free(measured->times);
  measured->times = copied(times, (size_t)count * sizeof *times);
  measured->time_count = count;
  for (int i = 0; i < count; i++) measured->times[i].end = LS_MAX(times[i].start, times[i].end);
  qsort(measured->times, (size_t)count, sizeof *times, by_start);
}

void trace_measured_measure(TraceMeasured *measured, const TraceMeasure *measure) {
  drop_measure(measured);
  measured->measure = copied(measure, sizeof *measure);
  measured->measure->date = measure->date ? ls_strdup(measure->date) : NULL;
  measured->measure->driver = measure->driver ? ls_strdup(measure->driver) : NULL;
}

// ---- counts --------------------------------------------------------------------------------------------------------

enum { COUNT_NUMBERS = 10, COUNT_LEAST_BYTES = 4 + COUNT_NUMBERS };

// The numbers of a count in the order of the file.
static void numbers_of(const TraceCount *count, uint64_t numbers[COUNT_NUMBERS]) {
  const uint64_t values[COUNT_NUMBERS] = {count->warps,   count->lanes,      count->requests,  count->doing,
                                          count->sectors,
                                          count->bytes,   count->wavefronts, count->conflicts, count->diverging,
                                              count->queued};
  memcpy(numbers, values, sizeof values);
}

void trace_put_counts(TraceBytes *bytes, const TraceMeasured *measured) {
  int32_t pc = 0;
  for (int i = 0; i < measured->count_count; i++) {
    const TraceCount *count = &measured->counts[i];
    uint64_t numbers[COUNT_NUMBERS];
    trace_put_svarint(bytes, (uint64_t)((int64_t)count->pc - pc));
    trace_put_u8(bytes, count->kind);
    trace_put_u8(bytes, count->space);
    trace_put_u8(bytes, count->flags);
    numbers_of(count, numbers);
    for (int n = 0; n < COUNT_NUMBERS; n++) trace_put_varint(bytes, numbers[n]);
    pc = count->pc;
  }
}

static void get_count(TraceCursor *cursor, int32_t from, TraceCount *count) {
  uint64_t n[COUNT_NUMBERS];
  *count = (TraceCount){.pc = trace_get_pc(cursor, from)};
  count->kind = trace_get_u8(cursor);
  count->space = trace_get_u8(cursor);
  count->flags = trace_get_u8(cursor);
  if (count->pc < 0 || count->kind >= TRACE_KIND_COUNT || count->space >= TRACE_SPACE_COUNT) trace_cursor_fail(cursor);
  for (int i = 0; i < COUNT_NUMBERS; i++) n[i] = trace_get_varint(cursor);
  count->warps = n[0], count->lanes = n[1], count->requests = n[2], count->doing = n[3], count->sectors = n[4];
  count->bytes = n[5], count->wavefronts = n[6], count->conflicts = n[7], count->diverging = n[8], count->queued = n[9];
}

void trace_get_counts(TraceCursor *cursor, uint32_t count, TraceMeasured *measured) {
  if (count > trace_cursor_left(cursor) / COUNT_LEAST_BYTES || count > INT32_MAX) trace_cursor_fail(cursor);
  if (cursor->bad) return;
  TraceCount *counts = ls_alloc(count * sizeof *counts);
  for (uint32_t i = 0; i < count && !cursor->bad; i++) get_count(cursor, i ? counts[i - 1].pc : 0, &counts[i]);
  if (!cursor->bad) trace_measured_counts(measured, counts, (int)count);
  free(counts);
}

// ---- times of blocks -----------------------------------------------------------------------------------------------

// Columns, since each of them has its own habits: blocks start in turn, take about equally long, and SMs repeat.
enum { TIME_START, TIME_LONG, TIME_SM, TIME_BLOCK, TIME_COLUMNS };

void trace_put_times(TraceBytes *bytes, const TraceMeasured *measured) {
  TraceBytes columns[TIME_COLUMNS] = {0};
  TraceBlockTime before = {0};
  for (int i = 0; i < measured->time_count; i++) {
    const TraceBlockTime *time = &measured->times[i];
    uint64_t took = time->end - time->start, took_before = before.end - before.start;
    trace_put_varint(&columns[TIME_START], time->start - before.start);
    trace_put_svarint(&columns[TIME_LONG], took - took_before);
    trace_put_varint(&columns[TIME_SM], time->sm);
    trace_put_svarint(&columns[TIME_BLOCK], (uint64_t)time->block - before.block);
    before = *time;
  }
  for (int c = 0; c < TIME_COLUMNS; c++) {
    trace_put_varint(bytes, columns[c].size);
    trace_put_bytes(bytes, columns[c].data, columns[c].size);
    free(columns[c].data);
  }
}

static void get_time(TraceCursor columns[TIME_COLUMNS], uint64_t blocks, const TraceBlockTime *before,
                     TraceBlockTime *time) {
  time->start = before->start + trace_get_bounded(&columns[TIME_START], UINT64_MAX - before->start);
  uint64_t took = before->end - before->start + trace_get_svarint(&columns[TIME_LONG]);
  if (took > UINT64_MAX - time->start) trace_cursor_fail(&columns[TIME_LONG]);
  time->end = time->start + took;
  time->sm = (uint16_t)trace_get_bounded(&columns[TIME_SM], UINT16_MAX);
  uint64_t block = before->block + trace_get_svarint(&columns[TIME_BLOCK]);
  if (block >= blocks || block > UINT32_MAX) trace_cursor_fail(&columns[TIME_BLOCK]);
  time->block = (uint32_t)block;
}

void trace_get_times(TraceCursor *cursor, uint32_t count, uint64_t blocks, TraceMeasured *measured) {
  TraceCursor columns[TIME_COLUMNS];
  for (int c = 0; c < TIME_COLUMNS; c++) {
    uint64_t size = trace_get_varint(cursor);
    const uint8_t *data = trace_get_bytes(cursor, size);
    columns[c] = (TraceCursor){data, data ? data + size : NULL, cursor->bad};
    if (count > size || count > blocks || count > INT32_MAX) trace_cursor_fail(cursor);
  }
  if (cursor->bad) return;
  TraceBlockTime *times = ls_alloc(count * sizeof *times), nothing = {0};
  bool ok = true;
  for (uint32_t i = 0; i < count && ok; i++) {
    get_time(columns, blocks, i ? &times[i - 1] : &nothing, &times[i]);
    for (int c = 0; c < TIME_COLUMNS; c++) ok = ok && !columns[c].bad;
  }
  if (ok) trace_measured_times(measured, times, (int)count);
  else trace_cursor_fail(cursor);
  free(times);
}

// ---- the measure ---------------------------------------------------------------------------------------------------

void trace_put_measure(TraceBytes *bytes, const TraceMeasured *measured) {
  const TraceMeasure *m = measured->measure;
  trace_put_text(bytes, m->date);
  trace_put_text(bytes, m->driver);
  const uint64_t numbers[] = {
      m->runs,           m->min_ns,        m->median_ns,   m->max_ns,    m->traced_ns,    m->lost_events,
          m->registers,
      m->local_bytes,    m->static_shared_bytes, m->blocks_per_sm, m->cc_major, m->cc_minor, m->sm_count, m->clock_khz,
      m->memory_clock_khz, m->memory_bus_bits, m->l2_bytes,  m->memory_bytes,
      m->stamped_ns};
  for (int i = 0; i < LS_COUNT(numbers); i++) trace_put_varint(bytes, numbers[i]);
}

static uint32_t get_u32_varint(TraceCursor *cursor) { return (uint32_t)trace_get_bounded(cursor, UINT32_MAX); }

void trace_get_measure(TraceCursor *cursor, TraceMeasured *measured) {
  TraceMeasure m = {.date = trace_get_text(cursor)};
  m.driver = trace_get_text(cursor);
  m.runs = get_u32_varint(cursor);
  m.min_ns = trace_get_varint(cursor);
  m.median_ns = trace_get_varint(cursor);
  m.max_ns = trace_get_varint(cursor);
  m.traced_ns = trace_get_varint(cursor);
  m.lost_events = trace_get_varint(cursor);
  m.registers = get_u32_varint(cursor);
  m.local_bytes = get_u32_varint(cursor);
  m.static_shared_bytes = get_u32_varint(cursor);
  m.blocks_per_sm = get_u32_varint(cursor);
  m.cc_major = get_u32_varint(cursor);
  m.cc_minor = get_u32_varint(cursor);
  m.sm_count = get_u32_varint(cursor);
  m.clock_khz = get_u32_varint(cursor);
  m.memory_clock_khz = get_u32_varint(cursor);
  m.memory_bus_bits = get_u32_varint(cursor);
  m.l2_bytes = trace_get_varint(cursor);
  m.memory_bytes = trace_get_varint(cursor);
  if (!cursor->bad && trace_cursor_left(cursor)) m.stamped_ns = trace_get_varint(cursor);   // not before 1.10
  if (!cursor->bad) trace_measured_measure(measured, &m);
  free(m.date);
  free(m.driver);
}
