// runner.c: devices whose runs happen in a child: a GPU (always, so that what it does to a kernel costs the child and never the
// session), and the emulator of another machine.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "device/cuda/gpu.h"
#include "device/remote/connection.h"
#include "device/remote/link.h"
#include "device/remote/runner_program.h"
#include "trace/section.h"

// What a buffer argument holds after the run.
typedef struct Result { uint8_t *bytes; uint64_t size, filled; bool told; } Result;

struct DevRun {
  DevRequest request;        // module, launch and options stay the caller's
  Link *link;
  TraceBytes bytes;          // of the trace, as they come
  Trace *trace;
  Result *results; int arg_count;   // one per launch argument; the launch may be gone when the run is closed
  Result *filling;           // the one that BYTES belong to
  Result *changing;          // the one that CHANGED belongs to
  uint64_t given;            // connection_run, when the link was given back; 0: it was not
  TraceFault *faults; int fault_count, fault_capacity;
  LsText output;
  uint64_t received;         // bytes of trace and results so far
  uint64_t blocks_done;
  bool patient;              // as long as blocks get done
};

static void set_stage(const DevRun *run, DevStage stage) {
  if (run->request.stage) run->request.stage(run->request.context, stage);
}

static void set_progress(const DevRun *run, uint64_t done, uint64_t all) {
  const SimOptions *options = run->request.options;
  if (options->progress) options->progress(options->progress_context, done, all);
}

// ---- messages ------------------------------------------------------------------------------------------------------

typedef bool (*TakeFn)(DevRun *run, TraceCursor *cursor);

static bool take_stage(DevRun *run, TraceCursor *cursor) {
  uint8_t stage = trace_get_u8(cursor);
  if (stage >= DEV_STAGE_COUNT) return false;
  set_stage(run, (DevStage)stage);
  return true;
}

static bool take_progress(DevRun *run, TraceCursor *cursor) {
  uint64_t done = trace_get_u64(cursor), all = trace_get_u64(cursor);
  if (done > all) return false;
  if (run->patient && done > run->blocks_done) link_renew(run->link);
  run->blocks_done = done;
  set_progress(run, done, all);
  return true;
}

static void count_received(DevRun *run, size_t size) {
  if (!run->received) set_stage(run, DEV_STAGE_RECEIVING);
  run->received += size;
  set_progress(run, run->received, 0);
}

static bool take_trace(DevRun *run, TraceCursor *cursor) {
  size_t size = trace_cursor_left(cursor);
  if (run->bytes.size + size > PROTO_TRACE_MOST) return false;
  trace_put_bytes(&run->bytes, trace_get_bytes(cursor, size), size);
  count_received(run, size);
  return true;
}

static bool take_fault(DevRun *run, TraceCursor *cursor) {
  enum { FAULTS_MOST = 1 << 20 };
  TraceFault fault;
  trace_get_fault(cursor, &fault);
  LS_PUSH(run->faults, run->fault_count, run->fault_capacity, fault);
  return run->fault_count <= FAULTS_MOST;
}

// A buffer is as large as the launch has it, and is told once.
static bool take_buffer(DevRun *run, TraceCursor *cursor) {
  const Launch *launch = run->request.launch;
  uint64_t arg = trace_get_varint(cursor), size = trace_get_varint(cursor);
  uint8_t how = trace_get_u8(cursor);
  if (cursor->bad || arg >= (uint64_t)launch->arg_count || how > 2) return false;
  const LaunchArg *def = &launch->args[arg];
  Result *result = &run->results[arg];
  if (!def->is_buffer || result->told || size != def->count * (uint64_t)launch_type_size(def->type)) return false;
  if (run->filling && run->filling->filled < run->filling->size) return false;
  *result = (Result){.bytes = ls_alloc(LS_MAX(size, 1)), .size = size, .told = true};
  if (how != 1) launch_fill(def, result->bytes);
  run->filling = how == 1 ? result : NULL;
  run->changing = how == 2 ? result : NULL;
  return true;
}

static bool take_bytes(DevRun *run, TraceCursor *cursor) {
  size_t size = trace_cursor_left(cursor);
  Result *result = run->filling;
  if (!result || size > result->size - result->filled) return false;
  memcpy(result->bytes + result->filled, trace_get_bytes(cursor, size), size);
  result->filled += size;
  count_received(run, size);
  return true;
}

static bool take_changed(DevRun *run, TraceCursor *cursor) {
  uint64_t first = trace_get_varint(cursor);
  size_t size = trace_cursor_left(cursor);
  Result *result = run->changing;
  if (cursor->bad || !result || first > result->size || size > result->size - first) return false;
  memcpy(result->bytes + first, trace_get_bytes(cursor, size), size);
  count_received(run, size);
  return true;
}

static bool take_output(DevRun *run, TraceCursor *cursor) {
  size_t size = trace_cursor_left(cursor);
  if (run->output.length + size > PROTO_OUTPUT_MOST) return false;
  ls_text_addn(&run->output, (const char *)trace_get_bytes(cursor, size), size);
  return true;
}

// Log lines are kept with what the child said: they are shown if the run fails.
static bool take_log(DevRun *run, TraceCursor *cursor) {
  link_note(run->link, (const char *)cursor->p, trace_cursor_left(cursor));
  cursor->p = cursor->end;
  return true;
}

static const struct { ProtoType type; TakeFn take; bool moves; } takers[] = {   // moves: the clock starts anew
    {PROTO_STAGE, take_stage, false}, {PROTO_PROGRESS, take_progress, false}, {PROTO_LOG, take_log, false},
    {PROTO_TRACE, take_trace, true},  {PROTO_FAULT, take_fault, true},        {PROTO_BUFFER, take_buffer, true},
    {PROTO_BYTES, take_bytes, true},  {PROTO_CHANGED, take_changed, true},    {PROTO_OUTPUT, take_output, true},
};

static bool malformed(DevRun *run, const ProtoMessage *message, LsErr *err) {
  char what[96];
  snprintf(what, sizeof what, "a message '%s' that makes no sense at this point", proto_type_name(message->type));
  return link_nonsense(run->link, what, err);
}

static bool take(DevRun *run, const ProtoMessage *message, LsErr *err) {
  TraceCursor cursor = {message->payload, message->payload + message->size, false};
  for (int i = 0; i < LS_COUNT(takers); i++) {
    if (takers[i].type != message->type) continue;
    if (!takers[i].take(run, &cursor) || cursor.bad || trace_cursor_left(&cursor)) break;
    if (takers[i].moves) link_renew(run->link);
    return true;
  }
  return malformed(run, message, err);
}

// What the other side says went wrong is about the kernel or about its machine; then it helps to know which machine.
static bool take_error(DevRun *run, const ProtoMessage *message, LsErr *err) {
  LsErr said = {0};
  if (!proto_get_error(message, &said)) return malformed(run, message, err);
  if (run->request.runner && said.kind != LS_EREQUEST && said.kind != LS_EUNSUPPORTED)
    ls_err_append(&said, "So says %s.", link_where(run->link));
  if (err) *err = said;
  return false;
}

// Takes messages until one of that type. False: an error came instead.
static bool take_until(DevRun *run, ProtoType type, ProtoMessage *message, LsErr *err) {
  for (;;) {
    if (!link_next(run->link, message, err)) return false;
    if (message->type == type) return true;
    if (message->type == PROTO_ERROR) return take_error(run, message, err);
    if (type == PROTO_OPENED && message->type >= PROTO_OPENED) return malformed(run, message, err);
    if (!take(run, message, err)) return false;
  }
}

// ---- opening -------------------------------------------------------------------------------------------------------

static void send_request(DevRun *run, const char *device, const TraceInfo *info) {
  TraceBytes request = {0}, messages = {0};
  proto_put_request(&request, device, &run->request, info, connection_kept(run->request.connection));
  proto_put_parts(&messages, PROTO_REQUEST, request.data, request.size);
  TraceBytes size = {0};
  trace_put_u64(&size, request.size);
  proto_put(&messages, PROTO_RUN, size.data, size.size);
  free(size.data);
  free(request.data);
  link_send(run->link, &messages);
}

static void take_text(char **to, char **from) {
  if (!*from) return;
  free(*to);
  *to = *from;
  *from = NULL;
}

// The objects, the device's name and its profile, which only the far end knows.
static bool take_opened(DevRun *run, const ProtoMessage *message, TraceInfo *info, LsErr *err) {
  TraceInfo told;
  TraceCursor cursor = {message->payload, message->payload + message->size, false};
  trace_get_info(&cursor, &told);
  bool ok = !cursor.bad && told.device_name;
  for (int i = 0; ok && i < told.object_count; i++) ok = told.objects[i].arg < run->request.launch->arg_count;
  if (ok) {
    take_text(&info->device_name, &told.device_name);
    take_text(&info->profile, &told.profile);
    take_text(&info->profile_text, &told.profile_text);
    info->objects = told.objects;
    info->object_count = told.object_count;
    told.objects = NULL;
    told.object_count = 0;
  }
  trace_info_fini(&told);
  return ok || malformed(run, message, err);
}

// What came of it may be what the next run begins with.
static void keep_results(DevRun *run) {
  ProtoKept *kept = run->given ? connection_keep(run->request.connection, run->given) : NULL;
  if (!kept) return;
  proto_kept_begin(kept, run->arg_count);
  for (int i = 0; i < run->arg_count; i++) {
    proto_kept_set(kept, i, run->results[i].bytes, run->results[i].size);
    run->results[i].bytes = NULL;
  }
}

static void runner_close(DevRun *run) {
  if (!run) return;
  keep_results(run);
  link_close(run->link);
  for (int i = 0; i < run->arg_count; i++) free(run->results[i].bytes);
  for (int i = 0; i < run->fault_count; i++) free(run->faults[i].message);
  trace_close(run->trace);
  ls_text_free(&run->output);
  free(run->bytes.data);
  free(run->faults);
  free(run->results);
  free(run);
}

static void on_note(void *context, const char *line) {
  const DevRun *run = context;
  if (run->request.note) run->request.note(run->request.context, line);
}

// Large inputs take their time on a slow line.
static void on_sent(void *context, uint64_t done, uint64_t all) {
  enum { WORTH_TELLING = 1 << 20 };
  if (all > WORTH_TELLING) set_progress(context, done, all);
}

static DevRun *open_on(const char *device, const DevRequest *request, TraceInfo *info, LsErr *err) {
  DevRun *run = ls_alloc(sizeof *run);
  run->request = *request;
  run->patient = strcmp(device, "emu") == 0;   // it may take long, here as there; a GPU ends its run itself
  if (!(run->request.time_limit > 0)) run->request.time_limit = DEV_TIME_LIMIT;
  run->arg_count = request->launch->arg_count;
  run->results = ls_alloc((size_t)LS_MAX(run->arg_count, 1) * sizeof *run->results);
  set_stage(run, request->runner ? DEV_STAGE_CONNECTING : DEV_STAGE_STARTING);
  LinkOptions options = {.runner = request->runner, .time_limit = run->request.time_limit, .cancel = request->options->cancel,
                         .note = on_note, .sent = on_sent, .context = run};
  run->link = connection_take(request->connection, &options, err);
  ProtoMessage message;
  bool ok = run->link != NULL;
  if (ok) {
    set_stage(run, DEV_STAGE_SENDING);
    send_request(run, device, info);
    ok = take_until(run, PROTO_OPENED, &message, err) && take_opened(run, &message, info, err);
  }
  if (!ok) {
    runner_close(run);
    return NULL;
  }
  set_stage(run, DEV_STAGE_RUNNING);
  return run;
}

static DevRun *cuda_open(const DevRequest *request, TraceInfo *info, LsErr *err) { return open_on("cuda", request, info, err); }
static DevRun *emu_open(const DevRequest *request, TraceInfo *info, LsErr *err) { return open_on("emu", request, info, err); }

// ---- running -------------------------------------------------------------------------------------------------------

static bool take_done(DevRun *run, const ProtoMessage *message, LsErr *err) {
  TraceCursor cursor = {message->payload, message->payload + message->size, false};
  uint64_t size = trace_get_u64(&cursor);
  trace_get_u64(&cursor);   // how long it took there is in the trace's measure, too
  bool whole = !run->filling || run->filling->filled == run->filling->size;
  return (!cursor.bad && size == run->bytes.size && whole) || malformed(run, message, err);
}

// What came has to be a whole trace of this launch before any of it is believed.
static bool open_trace(DevRun *run, LsErr *err) {
  LsErr why = {0};
  run->trace = trace_open_memory(run->bytes.data, run->bytes.size, &why);
  run->bytes = (TraceBytes){0};
  if (!run->trace) return link_nonsense(run->link, why.message, err);
  int faults;
  const Launch *mine = run->request.launch, *theirs = &trace_info(run->trace)->launch;
  trace_faults(run->trace, &faults);
  if (trace_is_truncated(run->trace) || faults != run->fault_count || memcmp(mine->grid, theirs->grid, sizeof mine->grid) != 0 ||
      memcmp(mine->block, theirs->block, sizeof mine->block) != 0)
    return link_nonsense(run->link, "its trace is not of this run", err);
  return true;
}

static bool runner_run(DevRun *run, TraceSink *sink, LsErr *err) {
  ProtoMessage message;
  bool ok = take_until(run, PROTO_DONE, &message, err) && take_done(run, &message, err) && open_trace(run, err);
  if (!ok) {
    link_close(run->link);
    run->link = NULL;
    return false;
  }
  if (!run->fault_count && connection_give(run->request.connection, run->link)) {
    run->link = NULL;
    run->given = connection_run(run->request.connection);
  } else link_farewell(run->link);
  ok = trace_push(run->trace, sink, run->request.options->cancel, err);
  trace_close(run->trace);
  run->trace = NULL;
  return ok;
}

static const uint8_t *runner_buffer(const DevRun *run, int arg, uint64_t *size) {
  *size = 0;
  if (arg < 0 || arg >= run->arg_count || !run->results[arg].told) return NULL;
  *size = run->results[arg].size;
  return run->results[arg].bytes;
}

static const TraceFault *runner_faults(const DevRun *run, int *count) {
  *count = run->fault_count;
  return run->faults;
}

static const char *runner_output(const DevRun *run) { return ls_text_str(&run->output); }

// Only asked where nobody says --runner: elsewhere the far end answers for its own GPU.
static bool cuda_available(LsErr *err) {
  GpuFacts facts;
  Driver *driver = driver_open(err);
  bool ok = driver && gpu_first(driver, &facts, err) && gpu_is_open(&facts, err);
  driver_close(driver);
  return ok;
}

static bool always(LsErr *err) {
  (void)err;
  return true;
}

static bool cuda_run_program(const DevProgram *program, DevProgramRun *result, LsErr *err) {
  return runner_program("cuda", program, result, err);
}

extern const Device dev_cuda, dev_emu_elsewhere;   // declared by device.c
const Device dev_cuda = {
    .name = "cuda", .title = "NVIDIA GPU", .open = cuda_open, .run = runner_run, .buffer = runner_buffer, .faults = runner_faults,
    .output = runner_output, .close = runner_close, .available = cuda_available,
    .run_program = cuda_run_program,
};
const Device dev_emu_elsewhere = {
    .name = "emu", .title = "emulator", .open = emu_open, .run = runner_run, .buffer = runner_buffer, .faults = runner_faults,
    .output = runner_output, .close = runner_close, .available = always,
};
