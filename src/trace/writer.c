// writer.c: the sink that makes a trace, in a file or in memory.
//
// A chunk is written with one call as soon as it is full; the file has its name when it is finished (base/output.h).
// A unit of
// blocks ends its last chunk too, and so another writer can make the chunks of a unit while this one makes those of
// the units before: its bytes are added as they are.
#include <assert.h>
#include <errno.h>
#include <unistd.h>
#include <zstd.h>
#include "base/output.h"
#include "trace/coverage.h"
#include "trace/encode.h"
#include "trace/measured.h"
#include "trace/prints.h"
#include "trace/section.h"

enum { ZSTD_LEVEL = 1 };   // the events are differences already: higher levels gain little and cost speed

typedef struct ChunkEntry { uint64_t size; uint32_t events; TraceSummary summary; } ChunkEntry;

struct TraceWriter {
  TraceSink sink;               // first: the sink's functions get back to the writer
  char *path;                   // NULL: memory
  LsOutput output;
  int error;                    // errno of the first failed write; nothing is written after it
  TraceBytes memory;            // memory writer: everything; file: the section being written
  uint64_t written;
  Launch launch;                // geometry only
  ZSTD_CCtx *zstd;
  TraceEncoder *encoder;
  TraceFold fold;
  uint32_t block;
  bool block_is_new, chunk_is_open, finished;
  int room;                     // how many events of the block the chunk takes without a further look; 0: look
  uint64_t steps;
  TraceBytes raw;
  ChunkEntry *chunks; int chunk_count, chunk_capacity;
  TraceBlock *blocks; int block_count, block_capacity;
  TraceFault *faults; int fault_count, fault_capacity;
  TraceTally *tallies; int tally_count;
  TracePrints prints;
  TraceCoverages coverages;
  bool interrupted; uint64_t blocks_done;
  TraceMeasured measured;
  TraceWriter *spare;           // children that nobody uses, to be forked again; a child's: the next of them
};

static TraceWriter *writer_of(TraceSink *sink) { return (TraceWriter *)(void *)sink; }

// ---- output --------------------------------------------------------------------------------------------------------

static void flush_memory(TraceWriter *writer) {
  if (!writer->path) return;
  const uint8_t *data = writer->memory.data;
  size_t left = writer->memory.size;
  while (left && !writer->error) {
    ssize_t n = write(writer->output.fd, data, left);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) writer->error = n < 0 ? errno : ENOSPC;
    else data += n, left -= (size_t)n;
  }
  writer->memory.size = 0;
}

static void put_out(TraceWriter *writer, const void *data, size_t size) {
  if (writer->error) return;
  trace_put_bytes(&writer->memory, data, size);
  writer->written += size;
}

// Writes writer->raw as a section; returns its size with the header.
static uint64_t put_section(TraceWriter *writer, const char *tag, uint32_t count) {
  if (writer->error) return 0;
  TraceSection section = {.count = count, .raw = writer->raw.size};
  memcpy(section.tag, tag, 4);
  size_t start = writer->memory.size, bound = ZSTD_compressBound(writer->raw.size);
  uint8_t *header = trace_bytes_room(&writer->memory, TRACE_SECTION_BYTES + bound);
  size_t stored = ZSTD_compress2(writer->zstd, header + TRACE_SECTION_BYTES, bound, writer->raw.data, writer->raw.size);
  if (ZSTD_isError(stored)) {
    writer->error = ENOMEM;
    return 0;
  }
  section.stored = stored;
  trace_section_put(writer->memory.data + start, &section);
  writer->memory.size += TRACE_SECTION_BYTES + stored;
  writer->written += TRACE_SECTION_BYTES + stored;
  flush_memory(writer);
  return TRACE_SECTION_BYTES + stored;
}

static void put_chunk(TraceWriter *writer) {
  ChunkEntry entry = {.events = (uint32_t)trace_encoder_count(writer->encoder)};
  if (!writer->chunk_is_open) return;
  writer->chunk_is_open = false;
  writer->room = 0;
  trace_encoder_end(writer->encoder, &writer->raw, &entry.summary);
  entry.size = put_section(writer, "EVTS", entry.events);
  LS_PUSH(writer->chunks, writer->chunk_count, writer->chunk_capacity, entry);
}

// ---- sink ----------------------------------------------------------------------------------------------------------

static void begin_block(TraceSink *sink, uint32_t block, bool recorded) {
  TraceWriter *writer = writer_of(sink);
  bool goes_on = block == writer->block && !writer->block_is_new;   // it had waited for another one
  if (!recorded || goes_on) return;
  writer->block = block;
  writer->block_is_new = true;
  writer->room = 0;
}

// How many events the last block has is known when it ends.
static void end_block(TraceWriter *writer) {
  if (!writer->block_count || writer->blocks[writer->block_count - 1].count) return;
  TraceBlock *last = &writer->blocks[writer->block_count - 1];
  last->count = writer->steps - last->first;
}

// The first event of a block, or of a chunk.
static void enter(TraceWriter *writer, uint32_t block) {
  bool is_new = writer->block_is_new || block != writer->block;
  if (is_new) {
    end_block(writer);
    TraceBlock entry = {.block = block, .first = writer->steps};
    LS_PUSH(writer->blocks, writer->block_count, writer->block_capacity, entry);
    trace_fold_begin(&writer->fold, &writer->launch);
    writer->block = block;
    writer->block_is_new = false;
  }
  if (!writer->chunk_is_open) trace_encoder_begin(writer->encoder, block, writer->steps, is_new ? NULL : &writer->fold);
  else if (is_new) trace_encoder_block(writer->encoder, block);
  writer->chunk_is_open = true;
}

// A fault's step is not known where it is told in a block that is not recorded, or whose events come late.
static void note_fault(TraceWriter *writer, const TraceEvent *event) {
  if (event->fault < 0 || event->fault >= writer->fault_count) return;
  TraceFault *fault = &writer->faults[event->fault];
  if (fault->step == UINT64_MAX) fault->step = writer->steps;
}

// Makes ready for the next event: ends a chunk that is full, begins one, enters a block.
static void make_room(TraceWriter *writer, uint32_t block) {
  if (writer->chunk_is_open && !trace_encoder_room(writer->encoder)) put_chunk(writer);
  if (!writer->chunk_is_open || writer->block_is_new || block != writer->block) enter(writer, block);
  writer->room = trace_encoder_room(writer->encoder);
}

static void take_event(TraceSink *sink, const TraceEvent *event) {
  TraceWriter *writer = writer_of(sink);
  assert(event->kind < TRACE_KIND_COUNT && event->pc >= -1 && event->space < TRACE_SPACE_COUNT);
  if (trace_kind_is_fault(event->kind)) note_fault(writer, event);
  if (!writer->room || event->block != writer->block) make_room(writer, event->block);
  writer->room = trace_encoder_event(writer->encoder, event);
  trace_fold_event(&writer->fold, event, writer->steps);
  writer->steps++;
}

static void take_line(TraceSink *sink, const TraceLine *line) {
  TraceWriter *writer = writer_of(sink);
  const TraceEvent *first = line->first;
  TraceLine rest;
  assert(first->kind == TRACE_EXEC && line->pc >= 0 && !first->flags);
  for (; line->count; line = &rest) {
    if (!writer->room || first->block != writer->block) make_room(writer, first->block);
    int32_t last;
    int n = trace_encoder_line(writer->encoder, line, &rest, &last, &writer->room);
    trace_fold_line(&writer->fold, first, last, n, writer->steps);
    writer->steps += (uint64_t)n;
  }
}

// Behind the last step, of passes that were written at once.
static void fold_passes(TraceWriter *writer, const TracePasses *pass, uint64_t times) {
  uint64_t behind = writer->steps += times * pass->events, ahead = 0;
  for (int i = 0; i < pass->line_count; i++) {
    const TraceLine *line = &pass->lines[i];
    uint64_t events = (uint64_t)line->count;
    ahead += events;
    trace_fold_again(&writer->fold, line->first->warp, times * events, behind - pass->events + ahead - 1);
  }
}

static void take_passes(TraceSink *sink, const TracePasses *passes) {
  TraceWriter *writer = writer_of(sink);
  for (uint64_t left = passes->times, n; left; left -= n) {
    trace_encoder_mark(writer->encoder);
    for (int i = 0; i < passes->line_count; i++) take_line(sink, &passes->lines[i]);
    n = 1;
    if (left > 1) n += trace_encoder_again(writer->encoder, passes, left - 1, &writer->room);
    if (n > 1) fold_passes(writer, passes, n - 1);
    trace_passes_move(passes, n);
  }
}

static void take_fault(TraceSink *sink, const TraceFault *fault) {
  TraceWriter *writer = writer_of(sink);
  TraceFault copy = *fault;
  copy.message = fault->message ? ls_strdup(fault->message) : NULL;
  LS_PUSH(writer->faults, writer->fault_count, writer->fault_capacity, copy);
}

static void take_tallies(TraceSink *sink, const TraceTally *tallies, int count) {
  TraceWriter *writer = writer_of(sink);
  free(writer->tallies);
  writer->tallies = ls_alloc((size_t)count * sizeof *tallies);
  if (count) memcpy(writer->tallies, tallies, (size_t)count * sizeof *tallies);
  writer->tally_count = count;
}

static void take_prints(TraceSink *sink, const TracePrint *prints, int count) {
  trace_prints_set(&writer_of(sink)->prints, prints, LS_MIN(count, TRACE_MOST_PRINTS));
}

static void take_coverage(TraceSink *sink, const TraceCoverage *coverages, int count) {
  trace_coverages_set(&writer_of(sink)->coverages, coverages, count);
}

static void take_counts(TraceSink *sink, const TraceCount *counts, int count) {
  trace_measured_counts(&writer_of(sink)->measured, counts, count);
}

static void take_times(TraceSink *sink, const TraceBlockTime *times, int count) {
  trace_measured_times(&writer_of(sink)->measured, times, count);
}

static void take_measure(TraceSink *sink, const TraceMeasure *measure) {
  trace_measured_measure(&writer_of(sink)->measured, measure);
}

static void cut(TraceSink *sink) { put_chunk(writer_of(sink)); }

TraceSink *trace_writer_sink(TraceWriter *writer) { return &writer->sink; }

void trace_writer_interrupted(TraceWriter *writer, uint64_t blocks_done) {
  writer->interrupted = true;
  writer->blocks_done = blocks_done;
}

// ---- children ------------------------------------------------------------------------------------------------------

static TraceWriter *new_writer(const Launch *launch) {
  TraceWriter *writer = ls_alloc(sizeof *writer);
  writer->sink = (TraceSink){.begin_block = begin_block, .event = take_event, .line = take_line, .passes = take_passes,
                             .cut = cut};
  writer->output.fd = -1;
  writer->block_is_new = true;
  memcpy(writer->launch.grid, launch->grid, sizeof writer->launch.grid);
  memcpy(writer->launch.block, launch->block, sizeof writer->launch.block);
  writer->encoder = trace_encoder_new();
  writer->zstd = ZSTD_createCCtx();
  if (!writer->zstd) {
    writer->error = ENOMEM;
    return writer;
  }
  ZSTD_CCtx_setParameter(writer->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
  ZSTD_CCtx_setParameter(writer->zstd, ZSTD_c_checksumFlag, 1);
  return writer;
}

// Writes to memory, and no header.
static TraceSink *fork_writer(TraceSink *sink) {
  TraceWriter *writer = writer_of(sink), *child = writer->spare;
  if (child) writer->spare = child->spare; else child = new_writer(&writer->launch);
  child->spare = NULL;
  return &child->sink;
}

static void take_over(TraceWriter *writer, TraceWriter *child) {
  put_chunk(writer);
  end_block(writer);
  end_block(child);
  if (!writer->error) writer->error = child->error;
  put_out(writer, child->memory.data, child->memory.size);
  flush_memory(writer);
  for (int i = 0; i < child->chunk_count; i++)
    LS_PUSH(writer->chunks, writer->chunk_count, writer->chunk_capacity, child->chunks[i]);
  for (int i = 0; i < child->block_count; i++) {
    TraceBlock entry = child->blocks[i];
    entry.first += writer->steps;
    LS_PUSH(writer->blocks, writer->block_count, writer->block_capacity, entry);
  }
  writer->steps += child->steps;
  writer->block_is_new = true;
  writer->room = 0;
}

static void join_writer(TraceSink *sink, TraceSink *other, bool keep) {
  TraceWriter *writer = writer_of(sink), *child = writer_of(other);
  if (keep) take_over(writer, child);
  child->memory.size = 0;
  child->written = child->steps = 0;
  child->chunk_count = child->block_count = 0;
  child->block_is_new = true;
  child->chunk_is_open = false;
  child->room = 0;
  child->spare = writer->spare;
  writer->spare = child;
}

// ---- start and end -------------------------------------------------------------------------------------------------

static void put_header(TraceWriter *writer, const TraceInfo *info) {
  uint8_t header[TRACE_HEADER_BYTES] = TRACE_MAGIC;
  header[8] = TRACE_MAJOR;
  header[10] = TRACE_MINOR;
  put_out(writer, header, sizeof header);
  writer->raw.size = 0;
  trace_put_info(&writer->raw, info);
  trace_put_text(&writer->raw, info->order);
  if (info->launch.heap) trace_put_blob(&writer->raw, info->launch.heap, info->launch.heap_bytes);
  put_section(writer, "INFO", 0);
}

static bool write_failed(const TraceWriter *writer, LsErr *err) {
  return ls_fail(err, LS_EIO, "cannot write %s: %s", writer->path ? LS_QUOTE_PATH(writer->path) : "the trace",
                 strerror(writer->error));
}

TraceWriter *trace_writer_new(const char *path, const TraceInfo *info, LsErr *err) {
  LsOutput output = {.fd = -1};
  if (path && !ls_output_open(&output, path, err)) return NULL;
  TraceWriter *writer = new_writer(&info->launch);
  writer->sink.fault = take_fault;
  writer->sink.tally = take_tallies;
  writer->sink.fork = fork_writer;
  writer->sink.join = join_writer;
  writer->sink.print = take_prints;
  writer->sink.coverage = take_coverage;
  writer->sink.counts = take_counts;
  writer->sink.block_times = take_times;
  writer->sink.measure = take_measure;
  writer->path = path ? ls_strdup(path) : NULL;
  writer->output = output;
  if (writer->error) {
    ls_fail(err, LS_ENOMEM, "not enough memory to write a trace");
    trace_writer_free(writer);
    return NULL;
  }
  put_header(writer, info);
  if (!writer->error) return writer;
  write_failed(writer, err);
  trace_writer_free(writer);
  return NULL;
}

// What a run has beside its events.
static void put_beside(TraceWriter *writer) {
  const TraceMeasured *measured = &writer->measured;
  writer->raw.size = 0;
  if (measured->count_count) {
    trace_put_counts(&writer->raw, measured);
    put_section(writer, "CNTS", (uint32_t)measured->count_count);
    writer->raw.size = 0;
  }
  if (measured->time_count) {
    trace_put_times(&writer->raw, measured);
    put_section(writer, "TIME", (uint32_t)measured->time_count);
    writer->raw.size = 0;
  }
  if (writer->prints.count) {
    trace_put_prints(&writer->raw, &writer->prints);
    put_section(writer, "PRNT", (uint32_t)writer->prints.count);
    writer->raw.size = 0;
  }
  if (writer->coverages.known) {
    trace_put_coverages(&writer->raw, &writer->coverages);
    put_section(writer, "COVR", (uint32_t)writer->coverages.count);
    writer->raw.size = 0;
  }
  if (writer->interrupted) {
    trace_put_varint(&writer->raw, writer->blocks_done);
    put_section(writer, "STOP", 0);
    writer->raw.size = 0;
  }
  if (!measured->measure) return;
  trace_put_measure(&writer->raw, measured);
  put_section(writer, "MEAS", 0);
}

static void put_end(TraceWriter *writer) {
  TraceBytes *raw = &writer->raw;
  raw->size = 0;
  end_block(writer);
  trace_put_varint(raw, writer->steps);
  for (int i = 0; i < writer->chunk_count; i++) {
    trace_put_varint(raw, writer->chunks[i].size);
    trace_put_varint(raw, writer->chunks[i].events);
    trace_put_summary(raw, &writer->chunks[i].summary);
  }
  trace_put_varint(raw, (uint64_t)writer->block_count);
  for (int i = 0; i < writer->block_count; i++) {
    trace_put_varint(raw, writer->blocks[i].block);
    trace_put_varint(raw, writer->blocks[i].count);
  }
  trace_put_varint(raw, (uint64_t)writer->fault_count);
  for (int i = 0; i < writer->fault_count; i++) trace_put_fault(raw, &writer->faults[i]);
  trace_put_varint(raw, (uint64_t)writer->tally_count);
  for (int i = 0; i < writer->tally_count; i++) trace_put_tally(raw, &writer->tallies[i]);
  uint64_t absent = 0;
  for (int i = 0; i < writer->tally_count; i++) absent |= writer->tallies[i].absent;
  for (int i = 0; absent && i < writer->tally_count; i++) trace_put_varint(raw, writer->tallies[i].absent);
  uint64_t offset = writer->written;
  put_section(writer, "ENDS", (uint32_t)writer->chunk_count);
  uint8_t footer[TRACE_FOOTER_BYTES];
  trace_footer_put(footer, offset);
  put_out(writer, footer, sizeof footer);
  flush_memory(writer);
}

bool trace_writer_finish(TraceWriter *writer, LsErr *err) {
  if (!writer->finished) {
    writer->finished = true;
    put_chunk(writer);
    put_beside(writer);
    put_end(writer);
    if (writer->error) ls_output_drop(&writer->output);
    else if (writer->path) writer->error = ls_output_commit(&writer->output);
  }
  return !writer->error || write_failed(writer, err);
}

uint8_t *trace_writer_take(TraceWriter *writer, size_t *size) {
  uint8_t *bytes = writer->memory.data;
  *size = writer->memory.size;
  writer->memory = (TraceBytes){0};
  return bytes;
}

void trace_writer_free(TraceWriter *writer) {
  if (!writer) return;
  for (TraceWriter *child = writer->spare, *next; child; child = next) {
    next = child->spare;
    child->spare = NULL;
    trace_writer_free(child);
  }
  ls_output_drop(&writer->output);
  for (int i = 0; i < writer->fault_count; i++) free(writer->faults[i].message);
  free(writer->faults);
  trace_prints_fini(&writer->prints);
  trace_coverages_fini(&writer->coverages);
  free(writer->tallies);
  trace_measured_fini(&writer->measured);
  free(writer->blocks);
  free(writer->chunks);
  free(writer->raw.data);
  free(writer->memory.data);
  free(writer->path);
  trace_encoder_free(writer->encoder);
  ZSTD_freeCCtx(writer->zstd);
  free(writer);
}
