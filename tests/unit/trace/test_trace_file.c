// test_trace_file.c: trace files that are whole, cut off, damaged, forged, or no traces at all.
#include "trace/trace.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include "base/file.h"
#include "trace/section.h"
#include "trace_stream.h"

enum { COLUMNS = TRACE_KIND_COUNT + 1 };

// ---- damage --------------------------------------------------------------------------------------------------------

// Uses everything of a trace; what it gives must be what was written. Returns events read.
static int read_everything(Trace *trace, const Stream *s, bool must_agree) {
  int read = 0, faults;
  TraceWarp warps_[32];
  static uint32_t counts[5 * COLUMNS];
  TraceQuery query;
  trace_query_init(&query);
  query.kinds = 1u << TRACE_BARRIER;
  trace_faults(trace, &faults);
  uint64_t steps = LS_MIN(trace_steps(trace), 3000), found;
  for (uint64_t i = 0; i < steps; i++) {
    TraceEvent got;
    LsErr err = {0};
    if (!trace_event(trace, i, &got, &err)) {
      CHECK_INT(err.kind, LS_EFORMAT);
      continue;
    }
    read++;
    if (!must_agree) continue;
    TraceEvent wanted = event_of(s, (int)i);
    CHECK(i < (uint64_t)s->count && same_event(&got, &wanted, faults));
  }
  for (uint64_t i = 0; i < steps; i += 37) trace_warps(trace, i, warps_, NULL);
  trace_find(trace, 0, 1, &query, &found, NULL);
  trace_find(trace, steps, -1, &query, &found, NULL);
  trace_overview(trace, 0, steps, 5, counts, NULL);
  return read;
}

static int open_and_read(const uint8_t *bytes, size_t size, const Stream *s, bool must_agree, LsErr *err) {
  uint8_t *copy = ls_alloc(size);
  if (size) memcpy(copy, bytes, size);
  Trace *trace = trace_open_memory(copy, size, err);
  if (!trace) return -1;
  int read = read_everything(trace, s, must_agree);
  trace_close(trace);
  return read;
}

static uint8_t *small_trace(Stream *s, size_t *size) {
  stream_init(s, 250, 5);
  add_block(s, 1, 20);
  add_block(s, 2, 30);
  TraceInfo info;
  fill_info(&info);
  uint8_t *bytes = write_stream(s, &info, size);
  trace_info_fini(&info);
  return bytes;
}

static void every_byte_flipped(void) {
  Stream s;
  size_t size;
  uint8_t *bytes = small_trace(&s, &size);
  CHECK_INT(open_and_read(bytes, size, &s, true, NULL), 50);
  int refused = 0;
  for (size_t i = 0; i < size; i++)
    for (int how = 0; how < 3; how++) {
      uint8_t kept = bytes[i];
      bytes[i] = how == 0 ? kept ^ 1 : how == 1 ? (uint8_t)~kept : kept ^ 0x80;
      LsErr err = {0};
      if (open_and_read(bytes, size, &s, true, &err) < 0) {
        refused++;
        CHECK(err.kind == LS_EFORMAT && err.message[0]);
      }
      bytes[i] = kept;
    }
  CHECK(refused > 300);
  free(bytes);
  free_stream(&s);
}

static void truncated_at_every_byte(void) {
  Stream s;
  size_t size;
  uint8_t *bytes = small_trace(&s, &size);
  int opened = 0, last = -1;
  for (size_t i = 0; i < size; i++) {
    int read = open_and_read(bytes, i, &s, true, NULL);
    CHECK(read == -1 || read == 0 || read == 50);
    CHECK(read >= last);
    last = read;
    opened += read > 0;
  }
  CHECK(opened > 20);
  free(bytes);
  free_stream(&s);
}

// Like the above, but with correct checksums, as somebody with bad intentions would write it.
static void every_raw_byte_changed(void) {
  Stream s;
  size_t size;
  uint8_t *bytes = small_trace(&s, &size);
  uint8_t raw[16384], *forged = ls_alloc(size + 65536);
  for (size_t at = TRACE_HEADER_BYTES; at < size - TRACE_FOOTER_BYTES;) {
    TraceSection section;
    CHECK(trace_section_get(bytes + at, &section) && section.raw < sizeof raw);
    size_t next = at + TRACE_SECTION_BYTES + (size_t)section.stored;
    ZSTD_decompress(raw, sizeof raw, bytes + at + TRACE_SECTION_BYTES, (size_t)section.stored);
    for (size_t i = 0; i < section.raw; i++)
      for (int how = 0; how < 3; how++) {
        uint8_t kept = raw[i];
        raw[i] = how == 0 ? kept ^ 1 : how == 1 ? 0xff : kept ^ 0x40;
        memcpy(forged, bytes, at);
        TraceSection changed = section;
        size_t stored = ZSTD_compress(forged + at + TRACE_SECTION_BYTES, 65536, raw, (size_t)section.raw, 1);
        changed.stored = stored;
        trace_section_put(forged + at, &changed);
        memcpy(forged + at + TRACE_SECTION_BYTES + stored, bytes + next, size - next);
        open_and_read(forged, at + TRACE_SECTION_BYTES + stored + size - next, &s, false, NULL);
        raw[i] = kept;
      }
    at = next;
  }
  free(forged);
  free(bytes);
  free_stream(&s);
}

static void check_refused(const char *content, size_t size, const char *message) {
  uint8_t *copy = ls_alloc(size + 1);
  memcpy(copy, content, size);
  LsErr err = {0};
  CHECK(!trace_open_memory(copy, size, &err));
  CHECK_STR(err.message, message);
  CHECK_INT(err.kind, LS_EFORMAT);
}

static void not_a_trace(void) {
  static const char ptx[] = "//\n// Generated\n//\n.version 9.0\n.target sm_90\n.address_size 64\n";
  static const char newer[] = "\x89LST\r\n\x1a\n\x02\0\x03\0\0\0\0\0 and more";
  check_refused("", 0, "the trace is not a trace: it is empty");
  check_refused(ptx, sizeof ptx - 1, "the trace is not a trace: it looks like PTX");
  check_refused("__global__ void f() {}\n", 23, "the trace is not a trace: it looks like CUDA or C++ source");
  check_refused("hello", 5, "the trace is not a trace: it looks like text");
  check_refused("\x7f" "ELF\2\1", 6, "the trace is not a trace: it looks like a program");
  check_refused("\0\1\2\3", 4, "the trace is not a trace: it looks like binary data");
  check_refused(TRACE_MAGIC, 5, "the trace is a trace that was cut off after 5 bytes, before its first event");
  check_refused(newer, sizeof newer - 1, "the trace was written by a newer lanescope (format 2.3; this one reads 1.x)");
  check_refused("\x89LST\r\n\x1a\n\x01\0\0\0\0\0\0\0", 16,
                "the trace is damaged, or cut off, in its header: nothing of it can be read");
}

// An object that claims an argument the launch does not have: coverage and faults ask for it by that number.
static void object_of_no_argument(void) {
  Stream s;
  size_t size;
  TraceInfo info;
  for (int arg = -1; arg <= 4; arg++) {
    stream_init(&s, 250, 5);
    add_block(&s, 1, 20);
    fill_info(&info);
    info.objects[0].arg = arg;
    uint8_t *bytes = write_stream(&s, &info, &size);
    CHECK_INT(open_and_read(bytes, size, &s, true, NULL) < 0, arg >= info.launch.arg_count);
    trace_info_fini(&info);
    free(bytes);
    free_stream(&s);
  }
}

// ---- files ---------------------------------------------------------------------------------------------------------

static char *temporary(void) {
  char *path = ls_strdup("test_trace_XXXXXX");
  close(mkstemp(path));
  return path;
}

static TraceWriter *write_file(const char *path, const Stream *s) {
  TraceInfo info;
  trace_info_init(&info);
  info.launch = s->launch;
  TraceWriter *writer = trace_writer_new(path, &info, NULL);
  push(s, trace_writer_sink(writer));
  return writer;
}

static void files(void) {
  Stream s;
  make_stream(&s, 8);
  char *path = temporary();
  TraceWriter *writer = write_file(path, &s);
  CHECK(trace_writer_finish(writer, NULL));
  CHECK(trace_writer_finish(writer, NULL));
  trace_writer_free(writer);
  Trace *trace = trace_open(path, NULL);
  CHECK_INT(trace_steps(trace), s.count);
  int wrong = 0;
  for (int i = 0; i < s.count; i += 11) wrong += !reads_back(trace, &s, i, 0);
  CHECK_INT(wrong, 0);
  trace_close(trace);
  LsErr err = {0};
  CHECK(!trace_open("/no/such/trace", &err));
  CHECK_STR(err.message, "cannot open /no/such/trace: No such file or directory");
  CHECK(!trace_open("/", &err));
  CHECK_STR(err.message, "/ is not a file");
  unlink(path);
  free(path);
  free_stream(&s);
}

// How many files of the current folder have a name that a trace under way may have.
static int files_aside(void) {
  int count = 0;
  DIR *folder = opendir(".");
  for (struct dirent *entry; (entry = readdir(folder));) count += ls_starts_with(entry->d_name, ".lanescope-");
  closedir(folder);
  return count;
}

static bool holds(const char *path, const char *text) {
  char *read = ls_file_read(path, 100, NULL, NULL);
  bool same = read && strcmp(read, text) == 0;
  free(read);
  return same;
}

// A writer that is not finished leaves nothing, and an older file as it was.
static void unfinished_files(void) {
  Stream s;
  make_stream(&s, 8);
  char *path = temporary();
  CHECK(ls_file_write(path, "older", 5, NULL));
  TraceWriter *writer = write_file(path, &s);
  CHECK(holds(path, "older"));
  trace_writer_free(writer);
  CHECK(holds(path, "older"));
  unlink(path);
  trace_writer_free(write_file(path, &s));
  CHECK(!ls_file_exists(path));
  CHECK_INT(files_aside(), 0);
  free(path);
  free_stream(&s);
}

// The new file has the older one's permissions, stands behind its links, and is alone.
static void files_take_the_place(void) {
  Stream s;
  struct stat now;
  make_stream(&s, 8);
  char *path = temporary(), *link = ls_format("%s.link", path);
  CHECK_INT(chmod(path, 0640), 0);
  CHECK_INT(symlink(path, link), 0);
  TraceWriter *writer = write_file(link, &s);
  CHECK(trace_writer_finish(writer, NULL));
  trace_writer_free(writer);
  CHECK(stat(path, &now) == 0 && (now.st_mode & 0777) == 0640);
  CHECK(lstat(link, &now) == 0 && S_ISLNK(now.st_mode));
  Trace *trace = trace_open(path, NULL);
  CHECK(trace && !trace_is_truncated(trace));
  trace_close(trace);
  CHECK_INT(files_aside(), 0);
  unlink(path);
  writer = write_file(link, &s);   // a link to nothing
  CHECK(trace_writer_finish(writer, NULL));
  trace_writer_free(writer);
  CHECK(lstat(path, &now) == 0 && S_ISREG(now.st_mode) && now.st_size > 1000);
  unlink(link);
  unlink(path);
  free(link);
  free(path);
  free_stream(&s);
}

// A file without its end, and one cut in the middle of its last chunk.
static void files_cut_short(void) {
  Stream s;
  make_stream(&s, 8);
  char *path = temporary();
  TraceWriter *writer = write_file(path, &s);
  CHECK(trace_writer_finish(writer, NULL));
  trace_writer_free(writer);
  size_t size;
  char *bytes = ls_file_read(path, 1 << 28, &size, NULL);
  uint64_t end;
  CHECK(bytes && trace_footer_get((uint8_t *)bytes + size - TRACE_FOOTER_BYTES, &end));
  free(bytes);
  CHECK_INT(truncate(path, (off_t)end), 0);
  Trace *trace = trace_open(path, NULL);
  CHECK(trace_is_truncated(trace));
  CHECK_INT(trace_steps(trace), s.count);
  int count, wrong = 0;
  for (int i = 0; i < s.count; i += 7) wrong += !reads_back(trace, &s, i, 0);
  CHECK_INT(wrong, 0);
  trace_blocks(trace, &count);
  CHECK_INT(count, 84);
  trace_close(trace);
  CHECK_INT(truncate(path, (off_t)end - 1), 0);
  trace = trace_open(path, NULL);
  CHECK(trace_is_truncated(trace));
  CHECK(trace_steps(trace) > 10000 && trace_steps(trace) < (uint64_t)s.count);
  CHECK(reads_back(trace, &s, (int)trace_steps(trace) - 1, 0));
  trace_close(trace);
  unlink(path);
  free(path);
  free_stream(&s);
}

static void full_disks(void) {
  if (!ls_file_exists("/dev/full")) return;
  LsErr err = {0};
  TraceInfo info;
  trace_info_init(&info);
  CHECK(!trace_writer_new("/dev/full", &info, &err));
  CHECK_STR(err.message, "cannot write /dev/full: No space left on device");
  CHECK(!trace_writer_new("/no/such/dir/x", &info, &err));
  CHECK_STR(err.message, "cannot write /no/such/dir/x: No such file or directory");
  CHECK_INT(err.kind, LS_EIO);
}

// The disk fills up during the run: finish says so, and an older file is not lost.
static void disk_fills_up(void) {
  Stream s;
  make_stream(&s, 8);
  char *path = temporary();
  CHECK(ls_file_write(path, "older", 5, NULL));
  struct rlimit before, small;
  CHECK_INT(getrlimit(RLIMIT_FSIZE, &before), 0);
  small = (struct rlimit){600000, before.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  TraceWriter *writer = write_file(path, &s);
  LsErr err = {0};
  CHECK(!trace_writer_finish(writer, &err));
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, SIG_DFL);
  trace_writer_free(writer);
  char *message = ls_format("cannot write %s: File too large", path);
  CHECK_STR(err.message, message);
  free(message);
  CHECK(holds(path, "older"));
  CHECK_INT(files_aside(), 0);
  unlink(path);
  free(path);
  free_stream(&s);
}

// ---- what was printed ----------------------------------------------------------------------------------------------

// Two blocks of three events; the third piece is of a block that is not recorded, the last of nobody known.
static uint8_t *printed_trace(size_t *size) {
  static const TracePrint prints[] = {{.block = 0, .thread = 5, .event = 1, .text = (char *)"one\n"},
                                      {.block = 7, .thread = 1023, .event = 2, .text = (char *)"\xe2\x96\xb8 two"},
                                      {.block = 3, .thread = 0, .event = 0, .text = (char *)""},
                                      {.block = 0, .thread = 0, .event = UINT64_MAX, .text = (char *)"three"}};
  TraceInfo info;
  trace_info_init(&info);
  info.launch.grid[0] = 8;
  TraceWriter *writer = trace_writer_new(NULL, &info, NULL);
  TraceSink *sink = trace_writer_sink(writer);
  for (uint32_t block = 0; block < 8; block += 7)
    for (int i = 0; i < 3; i++) {
      if (!i) sink->begin_block(sink, block, true);
      sink->event(sink, &(TraceEvent){.block = block, .kind = TRACE_EXEC, .pc = i, .active = 1, .mask = 1, .target = -1,
                                      .reconverge = -1, .fault = -1});
    }
  sink->print(sink, prints, 4);
  CHECK(trace_writer_finish(writer, NULL));
  uint8_t *bytes = trace_writer_take(writer, size);
  trace_writer_free(writer);
  trace_info_fini(&info);
  return bytes;
}

static void check_prints(const Trace *trace) {
  int count;
  const TracePrint *p = trace_prints(trace, &count);
  CHECK_INT(count, 4);
  if (count != 4) return;
  CHECK(p[0].block == 0 && p[0].thread == 5 && p[0].event == 1 && p[0].step == 1 && strcmp(p[0].text, "one\n") == 0);
  CHECK(p[1].block == 7 && p[1].thread == 1023 && p[1].step == 5 && strcmp(p[1].text, "\xe2\x96\xb8 two") == 0);
  CHECK(p[2].block == 3 && p[2].step == UINT64_MAX && strcmp(p[2].text, "") == 0);
  CHECK(p[3].event == UINT64_MAX && p[3].step == UINT64_MAX && strcmp(p[3].text, "three") == 0);
}

// Whole, without its end, and with every byte damaged in turn: all of it or nothing.
static void printed(void) {
  size_t size;
  uint8_t *bytes = printed_trace(&size);
  for (size_t at = 0; at <= size; at++) {
    uint8_t *copy = ls_alloc(size + 1);
    memcpy(copy, bytes, size);
    if (at < size) copy[at] ^= 0x41;
    int count = 0;
    Trace *trace = trace_open_memory(copy, size, NULL);
    if (trace) trace_prints(trace, &count);
    if (at == size || count) check_prints(trace);
    trace_close(trace);
  }
  uint8_t *start = ls_alloc(size);
  memcpy(start, bytes, size);
  Trace *cut = trace_open_memory(start, size - TRACE_FOOTER_BYTES, NULL);
  CHECK(cut && trace_is_truncated(cut));
  if (cut) check_prints(cut);
  trace_close(cut);
  free(bytes);
}

// ---- a run that was stopped ----------------------------------------------------------------------------------------

// A trace of two blocks of a grid of eight; done < 0: of a run that went to its end.
static uint8_t *stopped_trace(int64_t done, size_t *size) {
  TraceInfo info;
  trace_info_init(&info);
  info.launch.grid[0] = 8;
  TraceWriter *writer = trace_writer_new(NULL, &info, NULL);
  TraceSink *sink = trace_writer_sink(writer);
  for (uint32_t block = 0; block < 2; block++)
    sink->event(sink, &(TraceEvent){.block = block, .kind = TRACE_EXEC, .pc = 0, .active = 1, .mask = 1, .target = -1,
                                    .reconverge = -1, .fault = -1});
  if (done >= 0) trace_writer_interrupted(writer, (uint64_t)done);
  CHECK(trace_writer_finish(writer, NULL));
  uint8_t *bytes = trace_writer_take(writer, size);
  trace_writer_free(writer);
  trace_info_fini(&info);
  return bytes;
}

// -1: not interrupted; else the blocks that were done.
static int64_t stop_of(const Trace *trace) {
  uint64_t done = 99;
  bool interrupted = trace_interrupted(trace, &done);
  CHECK(interrupted || done == 0);
  return interrupted ? (int64_t)done : -1;
}

static void check_stop(int64_t done, int64_t told) {
  size_t size;
  uint8_t *bytes = stopped_trace(done, &size);
  Trace *trace = trace_open_memory(bytes, size, NULL);
  CHECK_INT(trace_steps(trace), 2);
  CHECK(stop_of(trace) == told);
  CHECK_INT(trace_is_truncated(trace), told != done);
  trace_close(trace);
}

// No more blocks than there are can have ended: that is damage, and the events are whole.
static void stopped(void) {
  check_stop(-1, -1);
  check_stop(0, 0);
  check_stop(5, 5);
  check_stop(8, 8);
  check_stop(9, -1);
  check_stop(INT64_MAX, -1);
}

static size_t place_of(const uint8_t *bytes, size_t size, const char *tag) {
  for (size_t at = TRACE_HEADER_BYTES; at < size - TRACE_FOOTER_BYTES;) {
    TraceSection section;
    CHECK(trace_section_get(bytes + at, &section));
    if (strcmp(section.tag, tag) == 0) return at;
    at += TRACE_SECTION_BYTES + (size_t)section.stored;
  }
  return 0;
}

// A reader that does not know the section passes over it; without it the file is that of a whole run.
static void stops_are_passed_over(void) {
  size_t size, whole_size;
  uint8_t *bytes = stopped_trace(5, &size), *whole = stopped_trace(-1, &whole_size);
  size_t at = place_of(bytes, size, "STOP"), end = place_of(bytes, size, "ENDS");
  CHECK(at > 0 && place_of(whole, whole_size, "STOP") == 0);
  CHECK(memcmp(bytes, whole, at) == 0);
  CHECK_INT(size - (end - at), whole_size);
  CHECK(memcmp(bytes + end, whole + at, size - end - TRACE_FOOTER_BYTES) == 0);
  TraceSection section;
  trace_section_get(bytes + at, &section);
  memcpy(section.tag, "NEWS", 4);
  trace_section_put(bytes + at, &section);
  Trace *trace = trace_open_memory(bytes, size, NULL);
  CHECK(trace && !trace_is_truncated(trace) && stop_of(trace) == -1);
  trace_close(trace);
  free(whole);
}

// With every byte damaged in turn it is told as it was, or not at all; without the end of the file it is told.
static void damaged_stops(void) {
  size_t size;
  uint8_t *bytes = stopped_trace(5, &size);
  for (size_t at = 0; at < size; at++) {
    uint8_t *copy = ls_alloc(size);
    memcpy(copy, bytes, size);
    copy[at] ^= 0x41;
    Trace *trace = trace_open_memory(copy, size, NULL);
    int64_t told = trace ? stop_of(trace) : -1;
    CHECK(told == 5 || told == -1);
    trace_close(trace);
  }
  Trace *cut = trace_open_memory(bytes, size - TRACE_FOOTER_BYTES, NULL);
  CHECK(cut && trace_is_truncated(cut) && stop_of(cut) == 5);
  trace_close(cut);
}

static const Check checks[] = {
    {"every byte flipped", every_byte_flipped},
    {"truncated at every byte", truncated_at_every_byte},
    {"every raw byte changed", every_raw_byte_changed},
    {"not a trace, or a newer one", not_a_trace},
    {"an object of no argument", object_of_no_argument},
    {"files", files},
    {"unfinished files", unfinished_files},
    {"files take the place of others", files_take_the_place},
    {"files cut short", files_cut_short},
    {"full disks", full_disks},
    {"a disk fills up", disk_fills_up},
    {"what was printed", printed},
    {"runs that were stopped", stopped},
    {"stops are passed over", stops_are_passed_over},
    {"damaged stops", damaged_stops},
};

int main(int argc, char **argv) { return check_main("trace_file", checks, LS_COUNT(checks), argc, argv); }
