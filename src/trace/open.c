// open.c: what stands in a trace file: header, index, and, where the end is missing, the chunks that are whole.
#include <errno.h>
#include <inttypes.h>
#include <unistd.h>
#include "trace/reader.h"

// ---- bytes of the file ---------------------------------------------------------------------------------------------

static bool read_at(Trace *trace, uint64_t offset, void *bytes, size_t size) {
  if (offset > trace->size || trace->size - offset < size) return false;
  offset += trace->base;
  if (trace->memory) {
    memcpy(bytes, trace->memory + offset, size);
    return true;
  }
  for (uint8_t *to = bytes; size;) {
    ssize_t n = pread(trace->fd, to, size, (off_t)offset);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to += n;
    size -= (size_t)n;
    offset += (uint64_t)n;
  }
  return true;
}

#define NAME_OF(trace) LS_QUOTE_PATH((trace)->path ? (trace)->path : "the trace")

bool trace_damaged(const Trace *trace, uint64_t offset, LsErr *err) {
  return ls_fail(err, LS_EFORMAT, "%s is damaged at byte %" PRIu64 "; record it again", NAME_OF(trace), offset);
}

static uint64_t limit_of(const char *tag) {
  if (strcmp(tag, "EVTS") == 0) return TRACE_CHUNK_LIMIT;
  if (strcmp(tag, "LNCH") == 0) return UINT64_MAX;   // nobody unpacks it as a whole
  bool tells_of_all = strcmp(tag, "INFO") == 0 || strcmp(tag, "INFD") == 0 || strcmp(tag, "ENDS") == 0;
  return tells_of_all ? TRACE_SECTION_LIMIT : TRACE_MEASURED_LIMIT;
}

bool trace_read_section(Trace *trace, uint64_t offset, TraceSection *section) {
  uint8_t header[TRACE_SECTION_BYTES];
  if (!read_at(trace, offset, header, sizeof header) || !trace_section_get(header, section)) return false;
  if (section->stored > trace->size - offset - TRACE_SECTION_BYTES) return false;
  return section->raw <= limit_of(section->tag) && section->raw <= (section->stored + 1) * TRACE_ZSTD_RATIO;
}

static uint8_t *decompress(Trace *trace, const uint8_t *stored, const TraceSection *section) {
  uint8_t *raw = malloc((size_t)section->raw + 1);
  if (!raw) return NULL;
  if (strcmp(section->tag, "INFD") == 0) {   // for this one frame
    ZSTD_DCtx_setParameter(trace->zstd, ZSTD_d_windowLogMax,
                           ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound);
    ZSTD_DCtx_refPrefix(trace->zstd, trace->prefix, trace->prefix_size);
  }
  size_t size = ZSTD_decompressDCtx(trace->zstd, raw, (size_t)section->raw, stored, (size_t)section->stored);
  if (!ZSTD_isError(size) && size == section->raw) return raw;
  free(raw);
  return NULL;
}

uint8_t *trace_read_payload(Trace *trace, uint64_t offset, const TraceSection *section, LsErr *err) {
  uint8_t *raw = NULL, *stored = NULL;
  uint64_t start = offset + TRACE_SECTION_BYTES;
  if (trace->memory) {
    raw = decompress(trace, trace->memory + trace->base + start, section);
  } else if ((stored = malloc((size_t)section->stored + 1)) && read_at(trace, start, stored, (size_t)section->stored)) {
    raw = decompress(trace, stored, section);
  }
  free(stored);
  if (!raw) trace_damaged(trace, offset, err);
  return raw;
}

// ---- header --------------------------------------------------------------------------------------------------------

static const char *looks_like(const char *text, size_t size) {
  static const struct { const char *start, *what; } starts[] = {
      {"\x7f" "ELF", "a program"},         {"\x28\xb5\x2f\xfd", "zstd data"},
      {"\x1f\x8b", "gzip data"},          {"PK\x03\x04", "a zip file"}};
  for (int i = 0; i < LS_COUNT(starts); i++) {
    size_t length = strlen(starts[i].start);
    if (size >= length && memcmp(text, starts[i].start, length) == 0) return starts[i].what;
  }
  if (memchr(text, 0, size)) return "binary data";
  if (strstr(text, ".version") && strstr(text, ".target")) return "PTX";
  if (strstr(text, "__global__") || strstr(text, "#include")) return "CUDA or C++ source";
  return "text";
}

static bool not_a_trace(Trace *trace, LsErr *err) {
  char text[4097] = "";
  size_t size = (size_t)LS_MIN(trace->size, sizeof text - 1);
  if (!size) return ls_fail(err, LS_EFORMAT, "%s is not a trace: it is empty", NAME_OF(trace));
  if (!read_at(trace, 0, text, size)) return ls_fail(err, LS_EIO, "cannot read %s", NAME_OF(trace));
  if (size < TRACE_HEADER_BYTES && memcmp(text, TRACE_MAGIC, LS_MIN(size, 8)) == 0)
    return ls_fail(err, LS_EFORMAT, "%s is a trace that was cut off after %zu bytes, before its first event",
                   NAME_OF(trace), size);
  return ls_fail(err, LS_EFORMAT, "%s is not a trace: it looks like %s", NAME_OF(trace), looks_like(text, size));
}

static void get_heap(TraceCursor *cursor, Launch *launch) {
  size_t size = 0;
  launch->heap = trace_get_blob(cursor, &size);
  launch->heap_bytes = size;
}

static bool read_info(Trace *trace, TraceSection *section, LsErr *err) {
  uint8_t header[TRACE_HEADER_BYTES];
  if (!read_at(trace, 0, header, sizeof header) || memcmp(header, TRACE_MAGIC, 8) != 0) return not_a_trace(trace, err);
  int major = header[8] | header[9] << 8, minor = header[10] | header[11] << 8;
  if (major > TRACE_MAJOR)
    return ls_fail(err, LS_EFORMAT, "%s was written by a newer lanescope (format %d.%d; this one reads %d.x)",
                   NAME_OF(trace), major, minor, TRACE_MAJOR);
  if (major != TRACE_MAJOR) return trace_damaged(trace, 8, err);
  if (!trace_read_section(trace, TRACE_HEADER_BYTES, section) || 
      strcmp(section->tag, trace->is_launch ? "INFD" : "INFO") != 0)
    return ls_fail(err, LS_EFORMAT, "%s is damaged, or cut off, in its header: nothing of it can be read",
                   NAME_OF(trace));
  uint8_t *raw = trace_read_payload(trace, TRACE_HEADER_BYTES, section, err);
  if (!raw) return false;
  TraceCursor cursor = {raw, raw + section->raw, false};
  trace_get_info(&cursor, &trace->info);
  if (trace_cursor_left(&cursor)) trace->info.order = trace_get_text(&cursor);   // since 1.6
  if (trace_cursor_left(&cursor)) get_heap(&cursor, &trace->info.launch);        // since 1.10, if there is one
  free(raw);
  return !cursor.bad || trace_damaged(trace, TRACE_HEADER_BYTES, err);
}

// ---- index ---------------------------------------------------------------------------------------------------------

static void add_block(Trace *trace, uint32_t block, uint64_t first, uint64_t count) {
  TraceBlock entry = {block, first, count};
  LS_PUSH(trace->blocks, trace->block_count, trace->block_capacity, entry);
}

// Returns where the last chunk ends.
static uint64_t get_entries(Trace *trace, TraceCursor *cursor, uint32_t count, uint64_t offset) {
  for (uint32_t i = 0; i < count && !cursor->bad; i++) {
    TraceEntry entry = {.offset = offset, .first = trace->steps};
    offset += trace_get_bounded(cursor, trace->size - offset);
    entry.count = (int)trace_get_bounded(cursor, TRACE_CHUNK_EVENTS);
    trace_get_summary(cursor, &entry.summary);
    if (!entry.count) trace_cursor_fail(cursor);
    trace->steps += (uint64_t)entry.count;
    LS_PUSH(trace->entries, trace->entry_count, trace->entry_capacity, entry);
  }
  return offset;
}

static void get_blocks(Trace *trace, TraceCursor *cursor) {
  uint64_t count = trace_get_bounded(cursor, LS_MIN(trace->steps, INT32_MAX)), first = 0;
  for (uint64_t i = 0; i < count && !cursor->bad; i++) {
    uint32_t block = (uint32_t)trace_get_bounded(cursor, UINT32_MAX);
    uint64_t events = trace_get_bounded(cursor, trace->steps - first);
    add_block(trace, block, first, events);
    first += events;
  }
  if (first != trace->steps) trace_cursor_fail(cursor);
}

static void get_faults(Trace *trace, TraceCursor *cursor) {
  uint64_t count = trace_get_bounded(cursor, INT32_MAX);
  for (uint64_t i = 0; i < count && !cursor->bad; i++) {
    TraceFault fault;
    trace_get_fault(cursor, &fault);
    LS_PUSH(trace->faults, trace->fault_count, trace->fault_capacity, fault);
  }
  count = trace_get_bounded(cursor, INT32_MAX);
  for (uint64_t i = 0; i < count && !cursor->bad; i++) {
    TraceTally tally;
    trace_get_tally(cursor, &tally);
    LS_PUSH(trace->tallies, trace->tally_count, trace->tally_capacity, tally);
  }
  for (int i = 0; i < trace->tally_count && trace_cursor_left(cursor); i++)
    trace->tallies[i].absent = trace_get_varint(cursor);
}

static void forget_index(Trace *trace) {
  for (int i = 0; i < trace->fault_count; i++) free(trace->faults[i].message);
  trace->entry_count = trace->block_count = trace->fault_count = trace->tally_count = 0;
  trace->steps = 0;
}

// ---- what a run has beside its events ------------------------------------------------------------------------------

static void get_counts(Trace *trace, TraceCursor *cursor, uint32_t count) {
  trace_get_counts(cursor, count, &trace->measured);
}

static void get_times(Trace *trace, TraceCursor *cursor, uint32_t count) {
  trace_get_times(cursor, count, launch_blocks(&trace->info.launch), &trace->measured);
}

static void get_prints(Trace *trace, TraceCursor *cursor, uint32_t count) {
  trace_get_prints(cursor, count, &trace->prints);
}

static void get_coverages(Trace *trace, TraceCursor *cursor, uint32_t count) {
  trace_get_coverages(cursor, count, &trace->info.launch, &trace->coverages);
}

static void get_stop(Trace *trace, TraceCursor *cursor, uint32_t count) {
  (void)count;
  uint64_t done = trace_get_bounded(cursor, launch_blocks(&trace->info.launch));
  if (cursor->bad) return;
  trace->interrupted = true;
  trace->blocks_done = done;
}

static void get_measure(Trace *trace, TraceCursor *cursor, uint32_t count) {
  (void)count;
  trace_get_measure(cursor, &trace->measured);
}

static void get_program(Trace *trace, TraceCursor *cursor, uint32_t count) {
  if (trace->is_launch || trace->program || count < 1 || count > PROGRAM_MOST_STEPS) {
    trace_cursor_fail(cursor);
    return;
  }
  trace->program_size = trace_cursor_left(cursor);
  trace->program = memcpy(ls_alloc(trace->program_size + 1), cursor->p, trace->program_size);
  trace->number = (int)count;
}

// Another launch: only where it is, until somebody wants it.
static bool note_launch(Trace *trace, uint64_t offset, const TraceSection *section) {
  int last = trace->launch_count ? trace->launches[trace->launch_count - 1].number : 0;
  if (!trace->program || section->raw != section->stored || section->count > PROGRAM_MOST_STEPS) return false;
  if ((int)section->count <= last || (int)section->count == trace->number) return false;
  TraceLaunch launch = {(int)section->count, offset + TRACE_SECTION_BYTES, section->stored};
  LS_PUSH(trace->launches, trace->launch_count, trace->launch_capacity, launch);
  return true;
}

static const struct { const char *tag; void (*get)(Trace *trace, TraceCursor *cursor, uint32_t count); } besides[] = {
    {"CNTS", get_counts}, {"TIME", get_times}, {"PRNT", get_prints}, {"COVR", get_coverages}, {"STOP", get_stop},
    {"MEAS", get_measure}, {"PROG", get_program},
};

// Takes a section that is one of these; any other is passed over. False if it is damaged.
static bool get_beside(Trace *trace, uint64_t offset, const TraceSection *section) {
  int which = 0;
  if (strcmp(section->tag, "LNCH") == 0) return note_launch(trace, offset, section);
  while (which < LS_COUNT(besides) && strcmp(section->tag, besides[which].tag) != 0) which++;
  if (which == LS_COUNT(besides)) return true;
  uint8_t *raw = trace_read_payload(trace, offset, section, NULL);
  if (!raw) return false;
  TraceCursor cursor = {raw, raw + section->raw, false};
  besides[which].get(trace, &cursor, section->count);
  free(raw);
  return !cursor.bad;
}

// The sections between the last chunk and the end. What is damaged there is as if it were missing: the events are
// whole.
static void read_between(Trace *trace, uint64_t offset, uint64_t end) {
  TraceSection section;
  while (offset < end) {
    if (!trace_read_section(trace, offset, &section) || !get_beside(trace, offset, &section)) {
      trace->truncated = true;
      return;
    }
    offset += TRACE_SECTION_BYTES + section.stored;
  }
}

// False if there is no whole ENDS section; nothing is kept then.
static bool read_end(Trace *trace, uint64_t first_chunk) {
  uint8_t footer[TRACE_FOOTER_BYTES];
  uint64_t offset;
  TraceSection section;
  if (!read_at(trace, trace->size - TRACE_FOOTER_BYTES, footer, sizeof footer) || !trace_footer_get(footer, &offset) ||
      !trace_read_section(trace, offset, &section) || strcmp(section.tag, "ENDS") != 0)
    return false;
  uint8_t *raw = trace_read_payload(trace, offset, &section, NULL);
  if (!raw) return false;
  TraceCursor cursor = {raw, raw + section.raw, false};
  uint64_t steps = trace_get_varint(&cursor);
  uint64_t after = get_entries(trace, &cursor, section.count, first_chunk);
  if (trace->steps != steps) trace_cursor_fail(&cursor);
  get_blocks(trace, &cursor);
  get_faults(trace, &cursor);
  free(raw);
  if (cursor.bad) forget_index(trace);
  else read_between(trace, after, offset);
  trace_prints_place(&trace->prints, trace->blocks, trace->block_count);
  return !cursor.bad;
}

// ---- without an end ------------------------------------------------------------------------------------------------

static bool scan_chunk(Trace *trace, uint64_t offset, const TraceSection *section) {
  if (section->count < 1 || section->count > TRACE_CHUNK_EVENTS) return false;
  uint8_t *raw = trace_read_payload(trace, offset, section, NULL);
  if (!raw) return false;
  TraceChunk chunk;
  bool ok = trace_decode_head(&chunk, raw, (size_t)section->raw, trace->steps, (int)section->count);
  if (ok && !trace->block_count && !chunk.spans[0].is_new) ok = false;
  for (int i = 0; ok && i < chunk.span_count; i++) {
    const TraceSpan *span = &chunk.spans[i];
    if (span->is_new) add_block(trace, span->block, trace->steps + (uint64_t)span->first, (uint64_t)span->count);
    else trace->blocks[trace->block_count - 1].count += (uint64_t)span->count;
  }
  if (ok) {
    TraceEntry entry = {.offset = offset, .first = trace->steps, .count = chunk.count, .summary = chunk.summary};
    LS_PUSH(trace->entries, trace->entry_count, trace->entry_capacity, entry);
    trace->steps += (uint64_t)chunk.count;
  }
  trace_chunk_fini(&chunk);
  free(raw);
  return ok;
}

static void scan(Trace *trace, uint64_t offset) {
  TraceSection section;
  trace->truncated = true;
  while (trace_read_section(trace, offset, &section)) {
    if (strcmp(section.tag, "EVTS") == 0 && !scan_chunk(trace, offset, &section)) break;
    if (!get_beside(trace, offset, &section)) break;
    offset += TRACE_SECTION_BYTES + section.stored;
  }
  trace_prints_place(&trace->prints, trace->blocks, trace->block_count);
}

bool trace_read_all(Trace *trace, LsErr *err) {
  TraceSection info;
  if (!read_info(trace, &info, err)) return false;
  uint64_t first_chunk = TRACE_HEADER_BYTES + TRACE_SECTION_BYTES + info.stored;
  if (!read_end(trace, first_chunk)) scan(trace, first_chunk);
  return true;
}
