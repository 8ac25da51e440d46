// reader.c: random access to the events of a trace through a few decoded chunks.
#include "trace/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- open and close ------------------------------------------------------------------------------------------------

static Trace *trace_new(const char *path) {
  Trace *trace = ls_alloc(sizeof *trace);
  trace->path = path ? ls_strdup(path) : NULL;
  trace->fd = -1;
  trace_info_init(&trace->info);
  trace->predictor = predict_new();
  trace->zstd = ZSTD_createDCtx();
  return trace;
}

static Trace *read_or_close(Trace *trace, LsErr *err) {
  bool ok = trace->zstd ? trace_read_all(trace, err) : ls_fail(err, LS_ENOMEM, "not enough memory to read a trace");
  if (ok) return trace;
  trace_close(trace);
  return NULL;
}

Trace *trace_open(const char *path, LsErr *err) {
  struct stat status;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    ls_fail(err, errno == ENOENT ? LS_EREQUEST : LS_EIO, "cannot open %s: %s", LS_QUOTE_PATH(path), strerror(errno));
    return NULL;
  }
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(fd);
    ls_fail(err, LS_EREQUEST, "%s is not a file", LS_QUOTE_PATH(path));
    return NULL;
  }
  Trace *trace = trace_new(path);
  trace->fd = fd;
  trace->size = (uint64_t)status.st_size;
  return read_or_close(trace, err);
}

Trace *trace_open_memory(uint8_t *bytes, size_t size, LsErr *err) {
  Trace *trace = trace_new(NULL);
  trace->memory = bytes ? bytes : ls_alloc(1);
  trace->size = bytes ? size : 0;
  return read_or_close(trace, err);
}

// ---- a launch inside of a file -------------------------------------------------------------------------------------

const uint8_t *trace_program(const Trace *trace, size_t *size, int *number) {
  *size = trace->program_size;
  *number = trace->number;
  return trace->program;
}

const TraceLaunch *trace_launches(const Trace *trace, int *count) {
  *count = trace->launch_count;
  return trace->launches;
}

// Its place among all launches in the file, the first of which is 0; -1: it is not there.
static int find_launch(const Trace *file, int number, LsErr *err) {
  for (int i = 0; i < file->launch_count; i++)
    if (file->launches[i].number == number) return i + 1;
  ls_fail(err, LS_EREQUEST, "launch %d is not in %s%s", number, LS_QUOTE_PATH(file->path ? file->path : "the trace"),
          file->truncated ? ": the end of the file is missing" : "");
  return -1;
}

static bool take_bytes(const Trace *file, Trace *launch, LsErr *err) {
  if (file->memory) {
    launch->memory = memcpy(ls_alloc((size_t)launch->size + 1), file->memory + launch->base, (size_t)launch->size);
    launch->base = 0;
    return true;
  }
  launch->fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
  return launch->fd >= 0 || ls_fail(err, LS_EIO, "cannot open %s: %s", LS_QUOTE_PATH(file->path), strerror(errno));
}

static bool read_launch_info(Trace *file, int place, uint8_t **raw, size_t *size, LsErr *err);

// Nothing of it is read yet but what its INFD is a difference to.
static Trace *begin_launch(Trace *file, int place, LsErr *err) {
  Trace *launch = trace_new(file->path);
  launch->is_launch = true;
  launch->base = file->launches[place - 1].offset;
  launch->size = file->launches[place - 1].size;
  if (launch->zstd && take_bytes(file, launch, err) &&
      read_launch_info(file, trace_launch_parent(place), &launch->prefix, &launch->prefix_size, err))
    return launch;
  trace_close(launch);
  return NULL;
}

static bool read_launch_info(Trace *file, int place, uint8_t **raw, size_t *size, LsErr *err) {
  TraceSection section;
  Trace *from = place ? begin_launch(file, place, err) : file;
  if (!from) return false;
  bool ok = trace_read_section(from, TRACE_HEADER_BYTES, &section) &&
            strcmp(section.tag, place ? "INFD" : "INFO") == 0;
  *raw = ok ? trace_read_payload(from, TRACE_HEADER_BYTES, &section, err) : NULL;
  *size = (size_t)section.raw;
  if (!ok) trace_damaged(from, from->base + TRACE_HEADER_BYTES, err);
  if (place) trace_close(from);
  return *raw != NULL;
}

Trace *trace_open_launch(Trace *file, int number, LsErr *err) {
  int place = find_launch(file, number, err);
  Trace *launch = place > 0 ? begin_launch(file, place, err) : NULL;
  if (launch) launch = read_or_close(launch, err);
  if (!launch) return NULL;
  free(launch->prefix);
  launch->prefix = NULL;
  return launch;
}

static void free_slot(TraceSlot *slot) {
  if (!slot->chunk) return;
  trace_chunk_fini(slot->chunk);
  free(slot->chunk);
  *slot = (TraceSlot){0};
}

void trace_close(Trace *trace) {
  if (!trace) return;
  for (int i = 0; i < READER_SLOTS; i++) free_slot(&trace->slots[i]);
  for (int i = 0; i < trace->fault_count; i++) free(trace->faults[i].message);
  free(trace->entries);
  free(trace->blocks);
  free(trace->faults);
  free(trace->tallies);
  trace_measured_fini(&trace->measured);
  trace_prints_fini(&trace->prints);
  trace_coverages_fini(&trace->coverages);
  trace_info_fini(&trace->info);
  free(trace->program);
  free(trace->launches);
  free(trace->prefix);
  free(trace->predictor);
  ZSTD_freeDCtx(trace->zstd);
  if (trace->fd >= 0) close(trace->fd);
  free(trace->memory);
  free(trace->path);
  free(trace);
}

// ---- what it is ----------------------------------------------------------------------------------------------------

const TraceInfo *trace_info(const Trace *trace) { return &trace->info; }

void trace_take_info(Trace *trace, TraceInfo *info) {
  *info = trace->info;
  trace_info_init(&trace->info);
}

uint64_t trace_steps(const Trace *trace) { return trace->steps; }
bool trace_is_truncated(const Trace *trace) { return trace->truncated; }
size_t trace_bytes(const Trace *trace) { return (size_t)trace->size; }

const TraceFault *trace_faults(const Trace *trace, int *count) {
  *count = trace->fault_count;
  return trace->faults;
}

const TraceTally *trace_tallies(const Trace *trace, int *count) {
  *count = trace->tally_count;
  return trace->tallies;
}

const TraceCount *trace_counts(const Trace *trace, int *count) {
  *count = trace->measured.count_count;
  return trace->measured.counts;
}

const TraceBlockTime *trace_block_times(const Trace *trace, int *count) {
  *count = trace->measured.time_count;
  return trace->measured.times;
}

const TraceMeasure *trace_measure(const Trace *trace) { return trace->measured.measure; }

const TracePrint *trace_prints(const Trace *trace, int *count) {
  *count = trace->prints.count;
  return trace->prints.items;
}

bool trace_coverages(const Trace *trace, const TraceCoverage **coverages, int *count) {
  *count = trace->coverages.count;
  *coverages = trace->coverages.items;
  return trace->coverages.known;
}

bool trace_interrupted(const Trace *trace, uint64_t *blocks_done) {
  *blocks_done = trace->blocks_done;
  return trace->interrupted;
}

const TraceBlock *trace_blocks(const Trace *trace, int *count) {
  *count = trace->block_count;
  return trace->blocks;
}

int trace_block_at(const Trace *trace, uint64_t step) {
  int low = 0, high = trace->block_count;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (trace->blocks[middle].first <= step) low = middle;
    else high = middle;
  }
  return low;
}

// ---- chunks --------------------------------------------------------------------------------------------------------

int trace_entry_at(const Trace *trace, uint64_t step) {
  int low = 0, high = trace->entry_count;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (trace->entries[middle].first <= step) low = middle;
    else high = middle;
  }
  return low;
}

static TraceChunk *decode_entry(Trace *trace, const TraceEntry *entry, LsErr *err) {
  TraceSection section;
  if (!trace_read_section(trace, entry->offset, &section) || strcmp(section.tag, "EVTS") != 0 ||
      section.count != (uint32_t)entry->count) {
    trace_damaged(trace, entry->offset, err);
    return NULL;
  }
  uint8_t *raw = trace_read_payload(trace, entry->offset, &section, err);
  if (!raw) return NULL;
  TraceChunk *chunk = ls_alloc(sizeof *chunk);
  bool ok = trace_decode_chunk(chunk, trace->predictor, raw, (size_t)section.raw, entry->first, entry->count);
  free(raw);
  if (ok) return chunk;
  trace_damaged(trace, entry->offset, err);
  trace_chunk_fini(chunk);
  free(chunk);
  return NULL;
}

// A free slot for a new chunk: the longest unused ones go while there are too many or too large ones.
static int make_room(Trace *trace) {
  for (;;) {
    size_t bytes = 0;
    int used = 0, empty = -1, oldest = -1;
    for (int i = 0; i < READER_SLOTS; i++) {
      const TraceSlot *slot = &trace->slots[i];
      if (!slot->chunk) {
        empty = i;
        continue;
      }
      used++;
      bytes += slot->bytes;
      if (oldest < 0 || slot->used < trace->slots[oldest].used) oldest = i;
    }
    if (empty >= 0 && (used < 2 || bytes < READER_BYTES)) return empty;
    free_slot(&trace->slots[oldest]);
  }
}

const TraceChunk *trace_load(Trace *trace, int entry, LsErr *err) {
  for (int i = 0; i < READER_SLOTS; i++) {
    TraceSlot *slot = &trace->slots[i];
    if (!slot->chunk || slot->entry != entry) continue;
    slot->used = ++trace->clock;
    trace->last_slot = i;
    return slot->chunk;
  }
  TraceChunk *chunk = decode_entry(trace, &trace->entries[entry], err);
  if (!chunk) return NULL;
  int slot = make_room(trace);
  trace->slots[slot] = (TraceSlot){entry, ++trace->clock, trace_chunk_bytes(chunk), chunk};
  trace->last_slot = slot;
  return chunk;
}

static const TraceChunk *load_step(Trace *trace, uint64_t step, LsErr *err) {
  if (step >= trace->steps) {
    ls_fail(err, LS_EREQUEST, "there is no step %" PRIu64 ": the trace has %" PRIu64, step, trace->steps);
    return NULL;
  }
  const TraceChunk *last = trace->slots[trace->last_slot].chunk;
  if (last && step - last->first < (uint64_t)last->count && step >= last->first) return last;
  return trace_load(trace, trace_entry_at(trace, step), err);
}

// ---- events and warps ----------------------------------------------------------------------------------------------

bool trace_event(Trace *trace, uint64_t step, TraceEvent *event, LsErr *err) {
  const TraceChunk *chunk = load_step(trace, step, err);
  if (!chunk) return false;
  trace_chunk_event(chunk, (int)(step - chunk->first), event);
  if (event->fault >= trace->fault_count) event->fault = -1;
  return true;
}

bool trace_warps(Trace *trace, uint64_t step, TraceWarp *warps, LsErr *err) {
  const TraceChunk *chunk = load_step(trace, step, err);
  if (!chunk) return false;
  const TraceSpan *span = chunk->spans;
  int index = (int)(step - chunk->first);
  while (span->first + span->count <= index) span++;
  TraceFold fold;
  trace_fold_begin(&fold, &trace->info.launch);
  if (!span->is_new)
    for (int w = 0; w < LS_MIN(fold.count, chunk->start.count); w++) fold.warps[w] = chunk->start.warps[w];
  for (int i = span->first; i <= index; i++) {
    TraceEvent event;
    trace_chunk_event(chunk, i, &event);
    trace_fold_event(&fold, &event, event.step);
  }
  trace_fold_settle(&fold);
  memcpy(warps, fold.warps, (size_t)fold.count * sizeof *warps);
  return true;
}
