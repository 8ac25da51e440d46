// serve.c: reading requests, running them, and writing what came of them.
#include "device/remote/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "device/remote/serve_parts.h"
#include "model/counter.h"
#include "trace/section.h"

// ---- bytes ---------------------------------------------------------------------------------------------------------

static void flush(Server *server) {
  proto_put_filler(&server->sending);
  const uint8_t *p = server->sending.data;
  for (size_t left = server->sending.size; left && !server->deaf;) {
    ssize_t n = write(server->out, p, left);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) server->deaf = true;
    else p += n, left -= (size_t)n;
  }
  server->sending.size = 0;
}

void serve_send(Server *server, ProtoType type, const void *payload, size_t size) {
  proto_put(&server->sending, type, payload, size);
  flush(server);
}

void serve_bytes(Server *server, ProtoType type, const TraceBytes *bytes) {
  serve_send(server, type, bytes->data, bytes->size);
}

// Part by part, so that a large one is never held twice.
void serve_in_parts(Server *server, ProtoType type, const uint8_t *bytes, size_t size) {
  for (size_t part; size; bytes += part, size -= part) {
    part = LS_MIN(size, PROTO_PART);
    serve_send(server, type, bytes, part);
  }
}

static void send_error(Server *server, const LsErr *err) {
  proto_put_error(&server->sending, err);
  flush(server);
}

// Waits for bytes and feeds them; false at the end of the input.
bool serve_receive(Server *server) {
  uint8_t bytes[64 << 10];
  for (;;) {
    ssize_t n = read(server->in, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n > 0) proto_feed(&server->reader, bytes, (size_t)n);
    return n > 0;
  }
}

// ---- watching the input while a kernel runs ---------------------------------------------------------------------------

// Nobody speaks during a run, so whatever happens on the input is its end or as good as that. A kernel that never ends would
// never let anybody else say so.
static void *watch_input(void *context) {
  Watch *watch = context;
  struct pollfd ends[2] = {{.fd = watch->in, .events = POLLIN}, {.fd = watch->wake[0], .events = POLLIN}};
  while (poll(ends, 2, -1) < 0 && errno == EINTR) continue;
  if (!ends[1].revents && ends[0].revents) _exit(130);
  return NULL;
}

void serve_watch(Server *server) {
  Watch *watch = &server->watch;
  *watch = (Watch){.in = server->in};
  if (pipe(watch->wake) != 0) return;
  watch->on = pthread_create(&watch->thread, NULL, watch_input, watch) == 0;
  if (!watch->on) close(watch->wake[0]), close(watch->wake[1]);
}

void serve_watch_end(Server *server) {
  Watch *watch = &server->watch;
  if (!watch->on) return;
  close(watch->wake[1]);   // its other end becomes readable
  pthread_join(watch->thread, NULL);
  close(watch->wake[0]);
  watch->on = false;
}

// ---- what a device tells on the way ------------------------------------------------------------------------------------

void serve_stage(void *context, DevStage stage) {
  uint8_t number = (uint8_t)stage;
  serve_send(context, PROTO_STAGE, &number, 1);
}

void serve_progress(void *context, uint64_t done, uint64_t all) {
  TraceBytes payload = {0};
  trace_put_u64(&payload, LS_MIN(done, all));
  trace_put_u64(&payload, all);
  serve_bytes(context, PROTO_PROGRESS, &payload);
  free(payload.data);
}

// ---- results -------------------------------------------------------------------------------------------------------

enum { UNCHANGED, ALL_BYTES, SOME_CHANGED };   // how BUFFER says that it is sent

// What it held before; NULL: nobody knows. Caller frees.
static uint8_t *bytes_before(const LaunchArg *arg, uint64_t size) {
  if (arg->init == LAUNCH_NONE) return NULL;
  uint8_t *before = malloc(LS_MAX(size, 1));
  if (before && launch_fill(arg, before)) return before;
  free(before);
  return NULL;
}

static void send_changed(Server *server, const uint8_t *bytes, const uint8_t *before, uint64_t size) {
  for (uint64_t at = 0; at < size; at += PROTO_PART) {
    size_t part = (size_t)LS_MIN(size - at, PROTO_PART);
    if (memcmp(bytes + at, before + at, part) == 0) continue;
    TraceBytes payload = {0};
    trace_put_varint(&payload, at);
    trace_put_bytes(&payload, bytes + at, part);
    serve_bytes(server, PROTO_CHANGED, &payload);
    free(payload.data);
  }
}

// Many buffers are only read, or written in part: what a client can make itself need not travel.
static void send_buffer(Server *server, int arg, const LaunchArg *def, const uint8_t *bytes, uint64_t size) {
  uint8_t *before = bytes_before(def, size);
  bool unchanged = before && memcmp(before, bytes, (size_t)size) == 0;
  int how = unchanged ? UNCHANGED : before && size > PROTO_PART ? SOME_CHANGED : ALL_BYTES;
  TraceBytes payload = {0};
  trace_put_varint(&payload, (uint64_t)arg);
  trace_put_varint(&payload, size);
  trace_put_u8(&payload, (uint8_t)how);
  serve_bytes(server, PROTO_BUFFER, &payload);
  free(payload.data);
  if (how == ALL_BYTES) serve_in_parts(server, PROTO_BYTES, bytes, (size_t)size);
  if (how == SOME_CHANGED) send_changed(server, bytes, before, size);
  free(before);
}

static void send_buffers(Server *server, const Device *device, const DevRun *run, const Launch *launch, bool keep) {
  if (keep) proto_kept_begin(&server->kept, launch->arg_count);
  for (int i = 0; i < launch->arg_count; i++) {
    uint64_t size = 0;
    const uint8_t *bytes = launch->args[i].is_buffer ? device->buffer(run, i, &size) : NULL;
    if (!bytes) continue;
    send_buffer(server, i, &launch->args[i], bytes, size);
    if (keep) proto_kept_set(&server->kept, i, memcpy(ls_alloc((size_t)size + 1), bytes, (size_t)size), size);
  }
}

static void send_faults(Server *server, const Device *device, const DevRun *run) {
  int count;
  const TraceFault *faults = device->faults(run, &count);
  for (int i = 0; i < count; i++) {
    TraceBytes payload = {0};
    trace_put_fault(&payload, &faults[i]);
    serve_bytes(server, PROTO_FAULT, &payload);
    free(payload.data);
  }
}

static void send_results(Server *server, const Device *device, const DevRun *run, const Launch *launch, TraceWriter *writer,
                         uint64_t elapsed_ns, bool more_follow) {
  size_t size;
  uint8_t *trace = trace_writer_take(writer, &size);
  serve_in_parts(server, PROTO_TRACE, trace, size);
  free(trace);
  send_faults(server, device, run);
  send_buffers(server, device, run, launch, more_follow);
  const char *output = device->output(run);
  serve_in_parts(server, PROTO_OUTPUT, (const uint8_t *)output, LS_MIN(strlen(output), PROTO_OUTPUT_MOST));
  TraceBytes payload = {0};
  trace_put_u64(&payload, size);
  trace_put_u64(&payload, elapsed_ns);
  if (more_follow) {
    server->done = payload;
    return;
  }
  serve_bytes(server, PROTO_DONE, &payload);
  free(payload.data);
}

// ---- one run -------------------------------------------------------------------------------------------------------

// Without what the client has anyway.
static TraceInfo plain_info(const TraceInfo *info) {
  TraceInfo plain = *info;
  plain.ptx = NULL;
  plain.ptx_length = 0;
  plain.sources = NULL;
  plain.source_count = 0;
  plain.launch.args = NULL;
  plain.launch.arg_count = 0;
  return plain;
}

// The emulator tells every access: their sums take the place of the blocks that are not recorded.
static bool run_device(const Device *device, DevRun *run, const PtxModule *module, TraceWriter *writer, LsErr *err) {
  Counters *counters = counters_new(module);
  TraceSink *sink = counters_sink(counters);
  sink->counts = NULL;
  sink->tally = NULL;
  TraceTee tee;
  trace_tee_init(&tee, sink, trace_writer_sink(writer));
  bool ok = device->run(run, &tee.sink, err);
  TraceCount *counts;
  int count = counters_export(counters, &counts);
  if (ok && count) trace_writer_sink(writer)->counts(trace_writer_sink(writer), counts, count);
  free(counts);
  counters_free(counters);
  return ok && trace_writer_finish(writer, err);
}

static bool execute(Server *server, const Device *device, const DevRequest *request, TraceInfo *info, LsErr *err) {
  DevRun *run = device->open(request, info, err);
  if (!run) return false;
  TraceInfo plain = plain_info(info);
  TraceBytes opened = {0};
  trace_put_info(&opened, &plain);
  bool fits = opened.size <= PROTO_PAYLOAD_MOST;
  if (fits) serve_bytes(server, PROTO_OPENED, &opened);
  else ls_fail(err, LS_EUNSUPPORTED, "this kernel has too many variables to be run elsewhere");
  free(opened.data);
  TraceWriter *writer = fits ? trace_writer_new(NULL, &plain, err) : NULL;
  uint64_t start = ls_clock_ns();
  bool ok = writer && run_device(device, run, request->module, writer, err);
  if (ok) send_results(server, device, run, request->launch, writer, ls_clock_ns() - start, request->more_follow);
  trace_writer_free(writer);
  device->close(run);
  return ok;
}

static bool run_request(Server *server, ProtoRequest *wanted, LsErr *err) {
  const Device *device = server->options->find(wanted->device, err);
  if (!device) return false;
  TraceInfo *info = &wanted->info;
  PtxModule *module = ptx_parse(info->ptx_path, info->ptx, info->ptx_length, err);
  int entry = module ? ptx_find_entry(module, info->kernel, err) : -1;
  bool ok = entry >= 0;
  if (ok) {
    proto_name_params(wanted, module, entry);
    wanted->options.progress = serve_progress;
    wanted->options.progress_context = server;
    DevRequest request = {.module = module, .entry = entry, .launch = &info->launch, .options = &wanted->options,
                          .time_limit = wanted->time_limit, .timed = wanted->timed, .stops = wanted->stops,
                              .more_follow = wanted->more_follow,
                              .stage = serve_stage, .context = server};
    ok = execute(server, device, &request, info, err);
  }
  ptx_module_free(module);
  return ok;
}

static bool fill_kept(const Server *server, ProtoRequest *request, LsErr *err) {
  Launch *launch = &request->info.launch;
  for (int i = 0; i < request->kept_count; i++) {
    int arg = request->kept[i];
    if (!proto_kept_fill(&server->kept, &launch->args[arg], arg))
      return ls_fail(err, LS_EFORMAT, "the request begins with what no run left in argument %d", arg + 1);
  }
  return true;
}

static bool run_one(Server *server, LsErr *err) {
  ProtoRequest request;
  bool ok = proto_get_request(server->request.data, server->request.size, &request, err) &&
            fill_kept(server, &request, err);
  server->request.size = 0;
  proto_kept_free(&server->kept);
  ok = ok && run_request(server, &request, err);
  proto_request_fini(&request);
  return ok;
}

static bool serve_one(Server *server, const ProtoMessage *message, LsErr *err) {
  TraceCursor cursor = {message->payload, message->payload + message->size, false};
  uint64_t size = trace_get_u64(&cursor);
  if (cursor.bad || size != server->request.size || proto_pending(&server->reader))
    return ls_fail(err, LS_EFORMAT, "the other side does not keep to the protocol");
  LsErr why = {0};
  serve_watch(server);
  bool ok = message->type == PROTO_PROGRAM ? serve_program(server, &why) : run_one(server, &why);
  if (!ok) send_error(server, &why);
  serve_watch_end(server);
  if (ok && server->done.size) serve_bytes(server, PROTO_DONE, &server->done);
  free(server->done.data);
  server->done = (TraceBytes){0};
  server->request.size = 0;
  return true;
}

// ---- the conversation ----------------------------------------------------------------------------------------------

static bool gather(Server *server, const ProtoMessage *message, LsErr *err) {
  if (message->type != PROTO_REQUEST) return ls_fail(err, LS_EFORMAT, "the other side does not keep to the protocol");
  if (server->request.size + message->size > PROTO_REQUEST_MOST)
    return ls_fail(err, LS_EREQUEST, "the request is larger than %llu bytes", PROTO_REQUEST_MOST);
  trace_put_bytes(&server->request, message->payload, message->size);
  return true;
}

static bool greet(Server *server, LsErr *err) {
  proto_put_greeting(&server->sending, PROTO_VERSION, server->options->program);
  flush(server);
  ProtoState state;
  while ((state = proto_greeting(&server->reader, err)) == PROTO_MORE)
    if (!serve_receive(server)) return ls_fail(err, LS_EFORMAT, "the input ended before anybody greeted");
  return state == PROTO_READY && proto_agree(server->reader.version, server->reader.program, "the other side", err);
}

static bool converse(Server *server, LsErr *err) {
  if (!greet(server, err)) return false;
  while (!server->deaf) {
    ProtoMessage message;
    ProtoState state = proto_next(&server->reader, &message, err);
    if (state == PROTO_BAD) return false;
    if (state == PROTO_MORE) {
      if (serve_receive(server)) continue;
      return !proto_pending(&server->reader) || ls_fail(err, LS_EFORMAT, "the input ended in the middle of a message");
    }
    bool begins = message.type == PROTO_RUN || message.type == PROTO_PROGRAM;
    bool ok = begins ? serve_one(server, &message, err) : gather(server, &message, err);
    if (!ok) return false;
  }
  return ls_fail(err, LS_EIO, "the other side does not listen any more");
}

bool serve_run(int in, int out, const ServeOptions *options, LsErr *err) {
  Server server = {.in = in, .out = out, .options = options};
  proto_reader_init(&server.reader, PROTO_CLIENT);
  bool ok = converse(&server, err);
  proto_reader_fini(&server.reader);
  free(server.request.data);
  proto_kept_free(&server.kept);
  free(server.sending.data);
  return ok;
}

int serve_take_output(void) {
  int out = fcntl(1, F_DUPFD_CLOEXEC, 3);
  if (out >= 0) dup2(2, 1);
  return out;
}
