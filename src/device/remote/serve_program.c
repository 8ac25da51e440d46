// serve_program.c: the server's end of a program: runs it, and asks the client for what its host does.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "device/remote/program_messages.h"
#include "device/remote/serve_parts.h"

typedef struct Serving { Server *server; const HostProgram *program; } Serving;

static void on_stage(void *context, int stage) { serve_stage(((Serving *)context)->server, (DevStage)stage); }

static void on_progress(void *context, uint64_t done, uint64_t all) { serve_progress(((Serving *)context)->server, done,
                                                                                     all); }

// ---- what the host does --------------------------------------------------------------------------------------------

static void send_side(Server *server, int buffer, bool on_host, const uint8_t *bytes, uint64_t size) {
  TraceBytes payload = {0};
  trace_put_varint(&payload, proto_side(buffer, on_host));
  trace_put_varint(&payload, size);
  trace_put_u8(&payload, 1);
  serve_bytes(server, PROTO_BUFFER, &payload);
  free(payload.data);
  serve_in_parts(server, PROTO_BYTES, bytes, (size_t)size);
}

// A buffer's size goes with it, 0 if it has no side on the host.
static bool fetch(Serving *s, const DevHost *host, TraceCursor *cursor) {
  uint64_t buffer = trace_get_varint(cursor);
  if (cursor->bad || trace_cursor_left(cursor) || buffer >= (uint64_t)s->program->buffer_count) return false;
  const uint8_t *bytes = host->bytes(host->context, (int)buffer, false);
  send_side(s->server, (int)buffer, true, bytes, bytes ? program_buffer_bytes(&s->program->buffers[buffer]) : 0);
  return true;
}

static bool store(Serving *s, const DevHost *host, TraceCursor *cursor) {
  uint64_t buffer = trace_get_varint(cursor), first = trace_get_varint(cursor), size = trace_cursor_left(cursor);
  if (cursor->bad || buffer >= (uint64_t)s->program->buffer_count) return false;
  uint64_t room = program_buffer_bytes(&s->program->buffers[buffer]);
  if (first > room || size > room - first) return false;
  uint8_t *bytes = host->bytes(host->context, (int)buffer, true);
  if (!bytes) return false;
  if (size) memcpy(bytes + first, trace_get_bytes(cursor, size), (size_t)size);
  return true;
}

// The client speaks now, and until it lets go. When it goes away the process ends, as it does while a kernel runs.
static bool next(Server *server, ProtoMessage *message, LsErr *err) {
  for (;;) {
    ProtoState state = proto_next(&server->reader, message, err);
    if (state == PROTO_BAD) return false;
    if (state == PROTO_READY) return true;
    if (!serve_receive(server)) _exit(130);
  }
}

static bool hear(Serving *s, const DevHost *host, LsErr *err) {
  ProtoMessage message;
  while (next(s->server, &message, err)) {
    TraceCursor cursor = {message.payload, message.payload + message.size, false};
    if (message.type == PROTO_GO_ON && !message.size) return true;
    bool ok = message.type == PROTO_FETCH   ? fetch(s, host, &cursor)
              : message.type == PROTO_STORE ? store(s, host, &cursor)
                                            : false;
    if (!ok) return ls_fail(err, LS_EFORMAT, "the other side does not keep to the protocol");
  }
  return false;
}

static bool on_host(void *context, int step, const DevHost *host, LsErr *err) {
  Serving *s = context;
  TraceBytes payload = {0};
  trace_put_varint(&payload, (uint64_t)step);
  serve_watch_end(s->server);
  serve_bytes(s->server, PROTO_HOST, &payload);
  free(payload.data);
  bool ok = hear(s, host, err);
  serve_watch(s->server);
  return ok;
}

// ---- the whole -----------------------------------------------------------------------------------------------------

static void send_results(Server *server, const HostProgram *program, const DevProgramRun *run, uint64_t elapsed_ns) {
  TraceBytes times = {0}, payload = {0};
  proto_put_times(&times, run);
  serve_in_parts(server, PROTO_STEPS, times.data, times.size);
  for (int i = 0; i < program->buffer_count; i++) {
    uint64_t size = program_buffer_bytes(&program->buffers[i]);
    send_side(server, i, false, run->device[i], size);
    if (run->host[i]) send_side(server, i, true, run->host[i], size);
  }
  trace_put_u64(&payload, times.size);
  trace_put_u64(&payload, elapsed_ns);
  serve_bytes(server, PROTO_DONE, &payload);
  free(payload.data);
  free(times.data);
}

static bool run_it(Server *server, const Device *device, const ProtoProgram *wanted, LsErr *err) {
  if (!device->run_program) return ls_fail(err, LS_EREQUEST, "the %s does not time programs", device->title);
  PtxModule *module = ptx_parse(wanted->info.ptx_path, wanted->info.ptx, wanted->info.ptx_length, err);
  if (!module) return false;
  Serving serving = {server, &wanted->program};
  DevProgram program = {.module = module, .program = &wanted->program, .variables = &wanted->variables,
                        .time_limit = wanted->time_limit, .host = on_host, .stage = on_stage, .progress = on_progress,
                        .context = &serving};
  DevProgramRun run;
  dev_program_run_init(&run, program.program);
  uint64_t start = ls_clock_ns();
  bool ok = device->run_program(&program, &run, err);
  if (ok) send_results(server, program.program, &run, ls_clock_ns() - start);
  dev_program_run_fini(&run);
  ptx_module_free(module);
  return ok;
}

bool serve_program(Server *server, LsErr *err) {
  ProtoProgram wanted;
  bool ok = proto_get_program(server->request.data, server->request.size, &wanted, err);
  const Device *device = ok ? server->options->find(wanted.device, err) : NULL;
  ok = device && run_it(server, device, &wanted, err);
  proto_program_fini(&wanted);
  return ok;
}
