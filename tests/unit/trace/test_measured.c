// test_measured.c: what a real device measured, through trace files that are whole, old, cut off, damaged or forged.
#include "trace/trace.h"

#include <zstd.h>
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "trace/section.h"

static const TraceMeasure sample = {
    .date = (char *)"2026-11-20", .driver = (char *)"580.95 (CUDA 13.0)", .runs = 50, .min_ns = 5120, .median_ns = 5280,
    .max_ns = 9216, .traced_ns = 48000, .lost_events = 17, .registers = 32, .local_bytes = 8, .static_shared_bytes = 1024,
    .blocks_per_sm = 8, .cc_major = 9, .cc_minor = 0, .sm_count = 132, .clock_khz = 1980000, .memory_clock_khz = 3201000,
    .memory_bus_bits = 6144, .l2_bytes = 60ull << 20, .memory_bytes = 150754820096ull, .stamped_ns = 2345,
};

static bool same_measure(const TraceMeasure *a, const TraceMeasure *b) {
  return strcmp(a->date, b->date) == 0 && strcmp(a->driver, b->driver) == 0 && a->runs == b->runs && a->min_ns == b->min_ns &&
         a->median_ns == b->median_ns && a->max_ns == b->max_ns && a->traced_ns == b->traced_ns &&
         a->lost_events == b->lost_events && a->registers == b->registers && a->local_bytes == b->local_bytes &&
         a->static_shared_bytes == b->static_shared_bytes && a->blocks_per_sm == b->blocks_per_sm &&
         a->cc_major == b->cc_major && a->cc_minor == b->cc_minor && a->sm_count == b->sm_count &&
         a->clock_khz == b->clock_khz && a->memory_clock_khz == b->memory_clock_khz &&
         a->memory_bus_bits == b->memory_bus_bits && a->l2_bytes == b->l2_bytes && a->memory_bytes == b->memory_bytes &&
         a->stamped_ns == b->stamped_ns;
}

static bool same_count(const TraceCount *a, const TraceCount *b) {
  return a->pc == b->pc && a->kind == b->kind && a->space == b->space && a->flags == b->flags && a->warps == b->warps &&
         a->lanes == b->lanes && a->requests == b->requests && a->doing == b->doing && a->sectors == b->sectors &&
         a->bytes == b->bytes && a->wavefronts == b->wavefronts && a->conflicts == b->conflicts &&
         a->diverging == b->diverging && a->queued == b->queued;
}

static bool same_time(const TraceBlockTime *a, const TraceBlockTime *b) {
  return a->block == b->block && a->sm == b->sm && a->start == b->start && a->end == b->end;
}

// ---- making them ---------------------------------------------------------------------------------------------------

enum { ROWS = 7, BLOCKS = 40 };

static void make_counts(TraceCount counts[ROWS]) {
  static const int32_t pcs[ROWS] = {3, 3, 8, 2, 200, 201, INT32_MAX};
  for (int i = 0; i < ROWS; i++) {
    uint64_t n = (uint64_t)(i + 1) * 1000;
    counts[i] = (TraceCount){.pc = pcs[i], .kind = (uint8_t)(i % TRACE_KIND_COUNT), .space = (uint8_t)(i % TRACE_SPACE_COUNT),
                             .flags = i == 4 ? TRACE_RETURNS_OLD : 0, .warps = n, .lanes = n * 32, .requests = n + 1,
                             .doing = n + 2, .sectors = n + 3, .bytes = n + 4, .wavefronts = n + 5, .conflicts = n + 6,
                             .diverging = n + 7, .queued = i == 6 ? UINT64_MAX : n + 8};
  }
}

// Blocks as a device with so many slots runs them, pushed in the order of their numbers.
static TraceBlockTime *make_times(uint32_t blocks, int slots, uint32_t seed) {
  LsMt random;
  ls_mt_seed(&random, seed);
  TraceBlockTime *times = ls_alloc(blocks * sizeof *times);
  uint64_t *free_at = ls_alloc((size_t)slots * sizeof *free_at);
  for (uint32_t b = 0; b < blocks; b++) {
    uint32_t slot = b < (uint32_t)slots ? b : b % (uint32_t)slots ^ (ls_mt_u32(&random) & 1);
    slot = LS_MIN(slot, (uint32_t)slots - 1);
    uint64_t start = free_at[slot] + 32, took = 4000 + ls_mt_u32(&random) % 32 * 32;
    times[b] = (TraceBlockTime){b, (uint16_t)(slot % 132), start, start + took};
    free_at[slot] = start + took;
  }
  free(free_at);
  return times;
}

typedef struct What {
  const TraceCount *counts; int count_count;
  const TraceBlockTime *times; int time_count;
  const TraceMeasure *measure;
} What;

static uint8_t *write_trace(const What *what, uint32_t blocks, size_t *size) {
  TraceInfo info;
  trace_info_init(&info);
  info.launch.grid[0] = blocks;
  info.launch.block[0] = 64;
  TraceWriter *writer = trace_writer_new(NULL, &info, NULL);
  TraceTee tee;   // through a tee, as a run does it
  trace_tee_init(&tee, NULL, trace_writer_sink(writer));
  TraceSink *sink = &tee.sink;
  for (int i = 0; i < 10; i++) sink->event(sink, &(TraceEvent){.kind = TRACE_EXEC, .pc = i, .active = 7, .mask = 7});
  if (what->counts) sink->counts(sink, what->counts, what->count_count);
  if (what->times) sink->block_times(sink, what->times, what->time_count);
  if (what->measure) sink->measure(sink, what->measure);
  CHECK(trace_writer_finish(writer, NULL));
  uint8_t *bytes = trace_writer_take(writer, size);
  trace_writer_free(writer);
  return bytes;
}

static uint8_t *write_all(size_t *size) {
  TraceCount counts[ROWS];
  make_counts(counts);
  TraceBlockTime *times = make_times(BLOCKS, 16, 1);
  uint8_t *bytes = write_trace(&(What){counts, ROWS, times, BLOCKS, &sample}, BLOCKS, size);
  free(times);
  return bytes;
}

static Trace *open_copy(const uint8_t *bytes, size_t size) {
  uint8_t *copy = ls_alloc(size);
  memcpy(copy, bytes, size);
  return trace_open_memory(copy, size, NULL);
}

// ---- whole files ---------------------------------------------------------------------------------------------------

// In the order of their start, whatever order they were pushed in.
static int wrong_times(const Trace *trace, const TraceBlockTime *pushed, int wanted) {
  int count, wrong = 0;
  const TraceBlockTime *times = trace_block_times(trace, &count);
  CHECK_INT(count, wanted);
  for (int i = 0; i < count; i++) {
    wrong += !same_time(&times[i], &pushed[times[i].block]);
    wrong += i > 0 && times[i].start < times[i - 1].start;
  }
  return wrong;
}

static void everything(void) {
  size_t size;
  uint8_t *bytes = write_all(&size);
  Trace *trace = trace_open_memory(bytes, size, NULL);
  TraceCount wanted[ROWS];
  make_counts(wanted);
  int count, wrong = 0;
  CHECK_INT(trace_steps(trace), 10);
  CHECK(!trace_is_truncated(trace));
  const TraceCount *counts = trace_counts(trace, &count);
  CHECK_INT(count, ROWS);
  for (int i = 0; i < count; i++) wrong += !same_count(&counts[i], &wanted[i]);
  CHECK_INT(wrong, 0);
  TraceBlockTime *pushed = make_times(BLOCKS, 16, 1);
  CHECK_INT(wrong_times(trace, pushed, BLOCKS), 0);
  CHECK(trace_measure(trace) && same_measure(trace_measure(trace), &sample));
  free(pushed);
  trace_close(trace);
}

// Each alone, and none: as the emulator leaves it.
static void some(void) {
  TraceCount counts[ROWS];
  make_counts(counts);
  TraceMeasure unknown = {0};
  const TraceBlockTime backwards = {3, 131, 64, 32};
  const What whats[] = {{0}, {.counts = counts, .count_count = ROWS}, {.measure = &unknown},
                        {.times = &backwards, .time_count = 1}};
  for (int i = 0; i < LS_COUNT(whats); i++) {
    size_t size;
    int count;
    uint8_t *bytes = write_trace(&whats[i], 4, &size);
    Trace *trace = trace_open_memory(bytes, size, NULL);
    CHECK_INT(trace_steps(trace), 10);
    trace_counts(trace, &count);
    CHECK_INT(count, whats[i].count_count);
    const TraceBlockTime *times = trace_block_times(trace, &count);
    CHECK_INT(count, whats[i].time_count);
    if (count) CHECK_INT(times[0].end, 64);   // a clock that seems to go back: no time at all
    CHECK((trace_measure(trace) != NULL) == (i == 2));
    if (i == 2) CHECK(!trace_measure(trace)->date && trace_measure(trace)->runs == 0);
    trace_close(trace);
  }
}

// A grid of a million blocks on 132 SMs of 16 slots: a few bytes a block.
static void many_blocks(void) {
  enum { MANY = 1000000, BYTES_PER_BLOCK = 5 };
  size_t size;
  TraceBlockTime *times = make_times(MANY, 132 * 16, 2);
  uint8_t *bytes = write_trace(&(What){.times = times, .time_count = MANY}, MANY, &size);
  printf("  %d blocks: %.2f bytes each\n", MANY, (double)size / MANY);
  CHECK(size < (size_t)MANY * BYTES_PER_BLOCK);
  Trace *trace = trace_open_memory(bytes, size, NULL);
  CHECK_INT(wrong_times(trace, times, MANY), 0);
  trace_close(trace);
  free(times);
}

// Version 1.0 had none of this; its files say so in their header, and nothing else about them is different.
static void old_files(void) {
  size_t size;
  uint8_t *bytes = write_trace(&(What){0}, 4, &size);
  CHECK_INT(bytes[10], TRACE_MINOR);
  bytes[10] = 0;
  Trace *trace = trace_open_memory(bytes, size, NULL);
  CHECK(trace && trace_steps(trace) == 10 && !trace_is_truncated(trace) && !trace_measure(trace));
  trace_close(trace);
}

// ---- damaged files -------------------------------------------------------------------------------------------------

// Whatever is there must be what was written; what is not there is not there at all.
static bool all_or_nothing(const Trace *trace, const TraceCount *counts, const TraceBlockTime *times) {
  int count;
  bool ok = true;
  const TraceCount *got = trace_counts(trace, &count);
  ok = count == 0 || count == ROWS;
  for (int i = 0; ok && i < count; i++) ok = same_count(&got[i], &counts[i]);
  trace_block_times(trace, &count);
  ok = ok && (count == 0 || (count == BLOCKS && wrong_times(trace, times, BLOCKS) == 0));
  return ok && (!trace_measure(trace) || same_measure(trace_measure(trace), &sample));
}

static void damaged(void) {
  size_t size;
  uint8_t *bytes = write_all(&size);
  TraceCount counts[ROWS];
  make_counts(counts);
  TraceBlockTime *times = make_times(BLOCKS, 16, 1);
  int wrong = 0, opened = 0, kept_events = 0;
  for (size_t i = 0; i < size; i++) {
    bytes[i] ^= 0x11;
    Trace *flipped = open_copy(bytes, size), *cut = open_copy(bytes, i);
    bytes[i] ^= 0x11;
    wrong += flipped && !all_or_nothing(flipped, counts, times);
    wrong += cut && !all_or_nothing(cut, counts, times);
    opened += flipped != NULL;
    kept_events += flipped && trace_is_truncated(flipped) && trace_steps(flipped) == 10;
    trace_close(flipped);
    trace_close(cut);
  }
  CHECK_INT(wrong, 0);
  CHECK(opened > 100 && kept_events > 100);
  free(times);
  free(bytes);
}

// Every byte of the new sections changed, with correct checksums: nothing may crash, and no time may be of a block that does not
// exist.
static void forged(void) {
  size_t size;
  uint8_t *bytes = write_all(&size), raw[4096], *forged = ls_alloc(size + 8192);
  int wrong = 0, sections = 0;
  for (size_t at = TRACE_HEADER_BYTES; at < size - TRACE_FOOTER_BYTES;) {
    TraceSection section;
    CHECK(trace_section_get(bytes + at, &section) && section.raw < sizeof raw);
    size_t next = at + TRACE_SECTION_BYTES + (size_t)section.stored;
    bool is_new = strcmp(section.tag, "CNTS") == 0 || strcmp(section.tag, "TIME") == 0 || strcmp(section.tag, "MEAS") == 0;
    sections += is_new;
    ZSTD_decompress(raw, sizeof raw, bytes + at + TRACE_SECTION_BYTES, (size_t)section.stored);
    for (size_t i = 0; is_new && i < section.raw * 3; i++) {
      uint8_t kept = raw[i / 3];
      raw[i / 3] = i % 3 == 0 ? kept ^ 1 : i % 3 == 1 ? 0xff : kept ^ 0x40;
      memcpy(forged, bytes, at);
      TraceSection changed = section;
      changed.count += i % 7 == 0;
      changed.stored = ZSTD_compress(forged + at + TRACE_SECTION_BYTES, 8192, raw, (size_t)section.raw, 1);
      trace_section_put(forged + at, &changed);
      size_t end = at + TRACE_SECTION_BYTES + (size_t)changed.stored;
      memcpy(forged + end, bytes + next, size - next);
      Trace *trace = open_copy(forged, end + size - next);   // its footer points elsewhere: the file is scanned
      int count;
      const TraceBlockTime *times = trace_block_times(trace, &count);
      for (int t = 0; t < count; t++) wrong += times[t].block >= BLOCKS || times[t].end < times[t].start;
      trace_close(trace);
      raw[i / 3] = kept;
    }
    at = next;
  }
  CHECK_INT(sections, 3);
  CHECK_INT(wrong, 0);
  free(forged);
  free(bytes);
}

static const Check checks[] = {
    {"everything that a device measures", everything}, {"some of it, or none", some}, {"a million blocks", many_blocks},
    {"files of version 1.0", old_files}, {"damaged and cut off", damaged}, {"forged", forged},
};

int main(int argc, char **argv) { return check_main("measured", checks, LS_COUNT(checks), argc, argv); }
