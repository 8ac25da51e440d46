// runner_program.c: the client's end of a program: sends it, does what its host does, and takes times and memory.
#include "device/remote/runner_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "device/remote/connection.h"
#include "device/remote/link.h"
#include "device/remote/program_messages.h"

// A side of a buffer on its way.
typedef struct Side { uint8_t *bytes; uint64_t size, filled; int buffer; bool on_host, told; } Side;

typedef struct Asking {
  const DevProgram *request;
  DevProgramRun *result;
  Link *link;
  TraceBytes steps;
  Side coming;
  bool stored;                 // what the host's function wrote has to be sent
} Asking;

static bool nonsense(Asking *a, ProtoType type, LsErr *err) {
  char what[96];
  snprintf(what, sizeof what, "a message '%s' that makes no sense at this point", proto_type_name(type));
  return link_nonsense(a->link, what, err);
}

// ---- buffers -------------------------------------------------------------------------------------------------------

static bool is_coming(const Side *side) { return side->told && side->filled < side->size; }

// Size 0 on the host: it has no side there.
static bool begin_side(Asking *a, TraceCursor *cursor) {
  const HostProgram *program = a->request->program;
  uint64_t number = trace_get_varint(cursor), size = trace_get_varint(cursor);
  uint8_t how = trace_get_u8(cursor);
  if (cursor->bad || trace_cursor_left(cursor) || number / 2 >= (uint64_t)program->buffer_count || how != 1 ||
      is_coming(&a->coming)) return false;
  Side side = {.buffer = (int)(number / 2), .on_host = number % 2, .size = size, .told = true};
  uint64_t whole = program_buffer_bytes(&program->buffers[side.buffer]);
  if (size != whole && !(side.on_host && size == 0)) return false;
  side.bytes = ls_alloc((size_t)size + 1);
  free(a->coming.bytes);
  a->coming = side;
  return true;
}

static bool fill_side(Asking *a, TraceCursor *cursor) {
  size_t size = trace_cursor_left(cursor);
  Side *side = &a->coming;
  if (!side->told || size > side->size - side->filled) return false;
  memcpy(side->bytes + side->filled, trace_get_bytes(cursor, size), size);
  side->filled += size;
  return true;
}

// Where it is whole, it is taken.
static void keep_side(Asking *a) {
  Side *side = &a->coming;
  if (!side->told || is_coming(side)) return;
  uint8_t **place = side->on_host ? &a->result->host[side->buffer] : &a->result->device[side->buffer];
  free(*place);
  *place = side->bytes;
  *side = (Side){0};
}

// ---- messages on the way -------------------------------------------------------------------------------------------

static bool take_stage(Asking *a, TraceCursor *cursor) {
  uint8_t stage = trace_get_u8(cursor);
  if (cursor->bad || trace_cursor_left(cursor) || stage >= DEV_STAGE_COUNT) return false;
  if (a->request->stage) a->request->stage(a->request->context, stage);
  return true;
}

static bool take_progress(Asking *a, TraceCursor *cursor) {
  uint64_t done = trace_get_u64(cursor), all = trace_get_u64(cursor);
  if (cursor->bad || trace_cursor_left(cursor) || done > all) return false;
  if (a->request->progress) a->request->progress(a->request->context, done, all);
  return true;
}

static bool take_steps(Asking *a, TraceCursor *cursor) {
  size_t size = trace_cursor_left(cursor);
  if (a->steps.size + size > PROTO_STEPS_MOST) return false;
  trace_put_bytes(&a->steps, trace_get_bytes(cursor, size), size);
  return true;
}

static bool take_error(Asking *a, const ProtoMessage *message, LsErr *err) {
  LsErr said = {0};
  if (!proto_get_error(message, &said)) return nonsense(a, message->type, err);
  if (a->request->runner && said.kind != LS_EREQUEST && said.kind != LS_EUNSUPPORTED)
    ls_err_append(&said, "So says %s.", link_where(a->link));
  if (err) *err = said;
  return false;
}

// ---- what the host does --------------------------------------------------------------------------------------------

// The buffers that its function asks for: fetched when it asks, and sent back if it writes.
typedef struct Loan { Side side; uint8_t *fetched; } Loan;   // fetched: its bytes as they came; NULL: nobody writes
typedef struct Lending { Asking *asking; Loan *loans; int count, capacity; bool failed; LsErr err; } Lending;

static bool fetch(Asking *a, int buffer, Side *side, LsErr *err) {
  TraceBytes payload = {0}, bytes = {0};
  ProtoMessage message;
  trace_put_varint(&payload, (uint64_t)buffer);
  proto_put(&bytes, PROTO_FETCH, payload.data, payload.size);
  free(payload.data);
  link_send(a->link, &bytes);
  do {
    if (!link_next(a->link, &message, err)) return false;
    if (message.type == PROTO_ERROR) return take_error(a, &message, err);
    TraceCursor cursor = {message.payload, message.payload + message.size, false};
    bool ok = message.type == PROTO_BUFFER  ? begin_side(a, &cursor)
              : message.type == PROTO_BYTES ? fill_side(a, &cursor)
                                            : false;
    if (!ok || a->coming.buffer != buffer || !a->coming.on_host) return nonsense(a, message.type, err);
    link_renew(a->link);
  } while (is_coming(&a->coming));
  *side = a->coming;
  a->coming = (Side){0};
  return true;
}

static uint8_t *lent_bytes(void *context, int buffer, bool writes) {
  Lending *l = context;
  Loan *loan = NULL;
  for (int i = 0; i < l->count && !loan; i++)
    if (l->loans[i].side.buffer == buffer) loan = &l->loans[i];
  if (!loan && !l->failed) {
    Loan fetched = {0};
    l->failed = !fetch(l->asking, buffer, &fetched.side, &l->err);
    if (l->failed) return NULL;
    LS_PUSH(l->loans, l->count, l->capacity, fetched);
    loan = &l->loans[l->count - 1];
  }
  if (!loan || (!loan->side.size && program_buffer_bytes(&l->asking->request->program->buffers[buffer]))) return NULL;
  bool first = writes && !loan->fetched;
  if (first) loan->fetched = memcpy(ls_alloc((size_t)loan->side.size + 1), loan->side.bytes, (size_t)loan->side.size);
  return loan->side.bytes;
}

// The parts that the function changed.
static void send_back(Asking *a, const Loan *loan) {
  TraceBytes messages = {0};
  const Side *side = &loan->side;
  for (uint64_t at = 0; at < side->size; at += PROTO_PART) {
    size_t size = (size_t)LS_MIN(side->size - at, PROTO_PART);
    if (memcmp(side->bytes + at, loan->fetched + at, size) == 0) continue;
    TraceBytes payload = {0};
    trace_put_varint(&payload, (uint64_t)side->buffer);
    trace_put_varint(&payload, at);
    trace_put_bytes(&payload, side->bytes + at, size);
    proto_put(&messages, PROTO_STORE, payload.data, payload.size);
    free(payload.data);
  }
  if (messages.size) link_send(a->link, &messages);
}

static bool do_host(Asking *a, TraceCursor *cursor, LsErr *err) {
  const HostProgram *program = a->request->program;
  uint64_t step = trace_get_varint(cursor);
  if (cursor->bad || trace_cursor_left(cursor) || step >= (uint64_t)program->step_count ||
      !program->steps[step].function ||
      !a->request->host)
    return nonsense(a, PROTO_HOST, err);
  Lending lending = {.asking = a};
  DevHost host = {.bytes = lent_bytes, .context = &lending};
  bool ok = a->request->host(a->request->context, (int)step, &host, err);
  if (lending.failed && err) *err = lending.err;
  ok = ok && !lending.failed;
  for (int i = 0; i < lending.count; i++) {
    if (ok && lending.loans[i].fetched) send_back(a, &lending.loans[i]);
    free(lending.loans[i].side.bytes);
    free(lending.loans[i].fetched);
  }
  free(lending.loans);
  TraceBytes go = {0};
  proto_put(&go, PROTO_GO_ON, "", 0);
  link_send(a->link, &go);
  link_renew(a->link);
  return ok;
}

// ---- the whole -----------------------------------------------------------------------------------------------------

static bool take(Asking *a, const ProtoMessage *message, LsErr *err) {
  TraceCursor cursor = {message->payload, message->payload + message->size, false};
  bool ok = false;
  switch (message->type) {
  case PROTO_HOST: return do_host(a, &cursor, err);
  case PROTO_STAGE: ok = take_stage(a, &cursor); break;
  case PROTO_PROGRESS: ok = take_progress(a, &cursor); break;
  case PROTO_LOG: link_note(a->link, (const char *)message->payload, message->size), ok = true; break;
  case PROTO_STEPS: ok = take_steps(a, &cursor); break;
  case PROTO_BUFFER: ok = begin_side(a, &cursor); break;
  case PROTO_BYTES: ok = fill_side(a, &cursor); break;
  default: break;
  }
  if (!ok) return nonsense(a, message->type, err);
  keep_side(a);
  link_renew(a->link);
  return true;
}

static bool is_done(Asking *a, const ProtoMessage *message, LsErr *err) {
  TraceCursor cursor = {message->payload, message->payload + message->size, false};
  bool ok = trace_get_u64(&cursor) == a->steps.size && !cursor.bad && !a->coming.told &&
            proto_get_times(a->steps.data, a->steps.size, a->request->program, a->result);
  for (int i = 0; i < a->request->program->buffer_count; i++) ok &= a->result->device[i] != NULL;
  return ok || nonsense(a, message->type, err);
}

static bool listen(Asking *a, LsErr *err) {
  ProtoMessage message;
  for (;;) {
    if (!link_next(a->link, &message, err)) return false;
    if (message.type == PROTO_ERROR) return take_error(a, &message, err);
    if (message.type == PROTO_DONE) return is_done(a, &message, err);
    if (!take(a, &message, err)) return false;
  }
}

static void on_note(void *context, const char *line) {
  const Asking *a = context;
  if (a->request->note) a->request->note(a->request->context, line);
}

static void send_request(Asking *a, const char *device) {
  TraceBytes request = {0}, messages = {0}, size = {0};
  proto_put_program(&request, device, a->request);
  proto_put_parts(&messages, PROTO_REQUEST, request.data, request.size);
  trace_put_u64(&size, request.size);
  proto_put(&messages, PROTO_PROGRAM, size.data, size.size);
  free(size.data);
  free(request.data);
  link_send(a->link, &messages);
}

bool runner_program(const char *device, const DevProgram *program, DevProgramRun *result, LsErr *err) {
  Asking a = {.request = program, .result = result};
  LinkOptions options = {.runner = program->runner, .time_limit = program->time_limit > 0
                         ? program->time_limit : DEV_TIME_LIMIT,
                         .cancel = program->cancel, .note = on_note, .context = &a};
  if (program->stage) program->stage(program->context, program->runner ? DEV_STAGE_CONNECTING : DEV_STAGE_STARTING);
  a.link = connection_take(program->connection, &options, err);
  if (!a.link) return false;
  send_request(&a, device);
  bool ok = listen(&a, err);
  link_close(a.link);
  free(a.steps.data);
  free(a.coming.bytes);
  return ok;
}
