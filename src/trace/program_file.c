// program_file.c: the traces of a program's launches put into one file: the first as it is, the others inside of it.
#include <errno.h>
#include <unistd.h>

#include "base/output.h"
#include "trace/reader.h"

enum { LEVEL = 3, LEAST_WINDOW = 10 };

struct TraceProgramWriter {
  char *path;
  LsOutput output;
  int error;                       // errno of the first failed write
  uint64_t written;
  int place;                       // of the launch that comes next
  struct Content { int place; uint8_t *raw; size_t size; } *last; int last_count, last_capacity;   // of INFO, of the
                                   // launch before and of those that it is a difference to
  TraceBytes ends;                 // its ENDS, which comes last
  bool finished;
};

TraceProgramWriter *trace_program_begin(const char *path, LsErr *err) {
  LsOutput output = {.fd = -1};
  if (!ls_output_open(&output, path, err)) return NULL;
  TraceProgramWriter *writer = ls_alloc(sizeof *writer);
  *writer = (TraceProgramWriter){.path = ls_strdup(path), .output = output};
  return writer;
}

static void put(TraceProgramWriter *writer, const uint8_t *data, size_t left) {
  writer->written += left;
  while (left && !writer->error) {
    ssize_t n = write(writer->output.fd, data, left);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) writer->error = n < 0 ? errno : ENOSPC;
    else data += n, left -= (size_t)n;
  }
}

// ---- pieces of a trace ---------------------------------------------------------------------------------------------

// Where its INFO ends, and where its ENDS begins.
typedef struct Pieces { uint64_t events, ends; TraceSection info; } Pieces;

static bool find_pieces(Trace *trace, Pieces *pieces) {
  uint8_t footer[TRACE_FOOTER_BYTES];
  if (!trace->memory || !trace_read_section(trace, TRACE_HEADER_BYTES, &pieces->info)) return false;
  pieces->events = TRACE_HEADER_BYTES + TRACE_SECTION_BYTES + pieces->info.stored;
  memcpy(footer, trace->memory + trace->size - TRACE_FOOTER_BYTES, sizeof footer);
  return trace_footer_get(footer, &pieces->ends) && pieces->ends >= pieces->events && pieces->ends < trace->size;
}

static void put_section_head(TraceProgramWriter *writer, const char *tag, uint32_t count, uint64_t stored,
                             uint64_t raw) {
  uint8_t bytes[TRACE_SECTION_BYTES];
  TraceSection section = {.count = count, .stored = stored, .raw = raw};
  memcpy(section.tag, tag, 4);
  trace_section_put(bytes, &section);
  put(writer, bytes, sizeof bytes);
}

// prefix NULL: none.
static uint8_t *compress(TraceProgramWriter *writer, const void *raw, size_t size, const struct Content *prefix,
                         size_t *stored) {
  ZSTD_CCtx *zstd = ZSTD_createCCtx();
  size_t bound = ZSTD_compressBound(size), reach = size + (prefix ? prefix->size : 0);
  uint8_t *out = malloc(bound);
  int window = LEAST_WINDOW, most = ZSTD_cParam_getBounds(ZSTD_c_windowLog).upperBound;
  while (window < most && (uint64_t)1 << window < reach) window++;
  if (zstd && out) {
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
    if (prefix) {
      ZSTD_CCtx_setParameter(zstd, ZSTD_c_windowLog, window);
      ZSTD_CCtx_setParameter(zstd, ZSTD_c_enableLongDistanceMatching, 1);
      ZSTD_CCtx_refPrefix(zstd, prefix->raw, prefix->size);
    }
    *stored = ZSTD_compress2(zstd, out, bound, raw, size);
  }
  if (!zstd || !out || ZSTD_isError(*stored)) writer->error = ENOMEM, *stored = 0;
  ZSTD_freeCCtx(zstd);
  return out;
}

static void keep_content(TraceProgramWriter *writer, uint8_t *raw, size_t size) {
  struct Content content = {writer->place++, raw, size};
  LS_PUSH(writer->last, writer->last_count, writer->last_capacity, content);
}

// What the next launch is a difference to: all that lie behind it are of no more use.
static const struct Content *parent_of_next(TraceProgramWriter *writer) {
  while (writer->last_count && writer->last[writer->last_count - 1].place != trace_launch_parent(writer->place))
    free(writer->last[--writer->last_count].raw);
  return writer->last_count ? &writer->last[writer->last_count - 1] : NULL;
}

// ---- launches ------------------------------------------------------------------------------------------------------

static void put_program(TraceProgramWriter *writer, int number, const void *program, size_t size) {
  size_t stored;
  uint8_t *bytes = compress(writer, program, size, NULL, &stored);
  put_section_head(writer, "PROG", (uint32_t)number, stored, size);
  put(writer, bytes, stored);
  free(bytes);
}

void trace_program_first(TraceProgramWriter *writer, int number, Trace *launch, const void *program, size_t size) {
  Pieces pieces;
  if (!find_pieces(launch, &pieces)) {
    writer->error = EINVAL;
    return;
  }
  uint8_t *raw = trace_read_payload(launch, TRACE_HEADER_BYTES, &pieces.info, NULL);
  if (!raw) writer->error = ENOMEM;
  keep_content(writer, raw, (size_t)pieces.info.raw);
  put(writer, launch->memory, (size_t)pieces.ends);
  put_program(writer, number, program, size);
  trace_put_bytes(&writer->ends, launch->memory + pieces.ends,
                  (size_t)(launch->size - pieces.ends) - TRACE_FOOTER_BYTES);
}

// The sizes of chunks that ENDS tells do not change; where it begins does.
void trace_program_add(TraceProgramWriter *writer, int number, Trace *launch) {
  Pieces pieces;
  size_t stored = 0;
  bool whole = find_pieces(launch, &pieces);
  uint8_t *raw = whole ? trace_read_payload(launch, TRACE_HEADER_BYTES, &pieces.info, NULL) : NULL;
  const struct Content *parent = parent_of_next(writer);
  uint8_t *info = raw && parent ? compress(writer, raw, (size_t)pieces.info.raw, parent, &stored) : NULL;
  if (!info) writer->error = writer->error ? writer->error : ENOMEM;
  if (info && !writer->error) {
    uint64_t rest = launch->size - TRACE_FOOTER_BYTES - pieces.events, head = TRACE_HEADER_BYTES + TRACE_SECTION_BYTES;
    uint64_t size = head + stored + rest + TRACE_FOOTER_BYTES;
    uint8_t footer[TRACE_FOOTER_BYTES];
    put_section_head(writer, "LNCH", (uint32_t)number, size, size);
    put(writer, launch->memory, TRACE_HEADER_BYTES);
    put_section_head(writer, "INFD", 0, stored, pieces.info.raw);
    put(writer, info, stored);
    put(writer, launch->memory + pieces.events, (size_t)rest);
    trace_footer_put(footer, pieces.ends - pieces.events + head + stored);
    put(writer, footer, sizeof footer);
  }
  free(info);
  keep_content(writer, raw, raw ? (size_t)pieces.info.raw : 0);
}

bool trace_program_end(TraceProgramWriter *writer, LsErr *err) {
  uint8_t footer[TRACE_FOOTER_BYTES];
  trace_footer_put(footer, writer->written);
  put(writer, writer->ends.data, writer->ends.size);
  put(writer, footer, sizeof footer);
  writer->finished = true;
  if (writer->error) ls_output_drop(&writer->output);
  else writer->error = ls_output_commit(&writer->output);
  return !writer->error ||
         ls_fail(err, LS_EIO, "cannot write %s: %s", LS_QUOTE_PATH(writer->path), strerror(writer->error));
}

void trace_program_free(TraceProgramWriter *writer) {
  if (!writer) return;
  if (!writer->finished) ls_output_drop(&writer->output);
  for (int i = 0; i < writer->last_count; i++) free(writer->last[i].raw);
  free(writer->last);
  free(writer->ends.data);
  free(writer->path);
  free(writer);
}
