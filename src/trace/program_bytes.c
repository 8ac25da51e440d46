// program_bytes.c: a program written step by step, and read with every index checked.
#include "trace/program_bytes.h"

enum { MOST_ARGS = 4096, MOST_EVENTS = PROGRAM_MOST_STEPS };
static const double MOST_MILLISECONDS = 1e9;

static void put_double(TraceBytes *bytes, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  trace_put_u64(bytes, bits);
}

static double get_double(TraceCursor *cursor) {
  uint64_t bits = trace_get_u64(cursor);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// ---- writing -------------------------------------------------------------------------------------------------------

typedef enum ArgForm { ARG_NUMBER, ARG_DEVICE, ARG_HOST } ArgForm;

static void put_arg(TraceBytes *bytes, const ProgramArg *arg) {
  trace_put_u8(bytes, (uint8_t)(!arg->is_buffer ? ARG_NUMBER : arg->of_host ? ARG_HOST : ARG_DEVICE));
  if (arg->is_buffer) {
    trace_put_varint(bytes, (uint64_t)arg->buffer);
    trace_put_varint(bytes, arg->first);
    return;
  }
  trace_put_u64(bytes, arg->bits);
  put_double(bytes, arg->number);
  trace_put_svarint(bytes, (uint64_t)arg->integer);
  trace_put_u8(bytes, arg->is_integer);
}

static void put_launch(TraceBytes *bytes, const ProgramStep *step) {
  trace_put_text(bytes, step->kernel);
  for (int i = 0; i < 3; i++) trace_put_varint(bytes, step->grid[i]);
  for (int i = 0; i < 3; i++) trace_put_varint(bytes, step->block[i]);
  trace_put_varint(bytes, step->shared_bytes);
  trace_put_u8(bytes, step->cooperative);
  trace_put_varint(bytes, (uint64_t)step->arg_count);
  for (int i = 0; i < step->arg_count; i++) put_arg(bytes, &step->args[i]);
}

static void put_range(TraceBytes *bytes, const ProgramStep *step) {
  trace_put_varint(bytes, (uint64_t)step->buffer);
  trace_put_varint(bytes, step->first);
  trace_put_varint(bytes, step->count);
}

static void put_copy(TraceBytes *bytes, const ProgramStep *step) {
  trace_put_u8(bytes, (uint8_t)step->direction);
  trace_put_u8(bytes, step->async);
  put_range(bytes, step);
  trace_put_varint(bytes, (uint64_t)step->from);
  trace_put_varint(bytes, step->from_first);
}

static void put_host(TraceBytes *bytes, const ProgramStep *step) {
  trace_put_text(bytes, step->words);
  put_double(bytes, step->milliseconds);
  trace_put_u8(bytes, step->function > 0);
}

static void put_step(TraceBytes *bytes, const ProgramStep *step) {
  trace_put_u8(bytes, (uint8_t)step->kind);
  trace_put_varint(bytes, (uint64_t)step->stream);
  switch (step->kind) {
  case PROGRAM_LAUNCH: put_launch(bytes, step); break;
  case PROGRAM_COPY: put_copy(bytes, step); break;
  case PROGRAM_SET: put_range(bytes, step), trace_put_u8(bytes, step->byte); break;
  case PROGRAM_HOST: put_host(bytes, step); break;
  case PROGRAM_SYNC:
    trace_put_u8(bytes, (uint8_t)step->sync);
    if (step->sync == PROGRAM_SYNC_EVENT) trace_put_varint(bytes, (uint64_t)step->event);
    break;
  case PROGRAM_RECORD: case PROGRAM_WAIT: trace_put_varint(bytes, (uint64_t)step->event); break;
  case PROGRAM_READ: case PROGRAM_WRITE: case PROGRAM_FREE: put_range(bytes, step); break;
  case PROGRAM_KIND_COUNT: break;
  }
}

void trace_put_program(TraceBytes *bytes, const HostProgram *program) {
  trace_put_text(bytes, program->name);
  trace_put_varint(bytes, (uint64_t)program->buffer_count);
  for (int i = 0; i < program->buffer_count; i++) {
    const ProgramBuffer *buffer = &program->buffers[i];
    trace_put_text(bytes, buffer->contents.name);
    trace_put_u8(bytes, (uint8_t)buffer->contents.type);
    trace_put_varint(bytes, buffer->contents.count);
    trace_put_u8(bytes, (uint8_t)buffer->host);
  }
  trace_put_varint(bytes, (uint64_t)program->stream_count - 1);
  for (int i = 1; i < program->stream_count; i++) {
    trace_put_text(bytes, program->streams[i].name);
    trace_put_svarint(bytes, (uint64_t)(int64_t)program->streams[i].priority);
    trace_put_u8(bytes, program->streams[i].nonblocking);
  }
  trace_put_varint(bytes, (uint64_t)program->event_count);
  for (int i = 0; i < program->event_count; i++) trace_put_text(bytes, program->events[i]);
  trace_put_varint(bytes, (uint64_t)program->step_count);
  for (int i = 0; i < program->step_count; i++) put_step(bytes, &program->steps[i]);
}

// ---- reading -------------------------------------------------------------------------------------------------------

static char *get_name(TraceCursor *cursor) {
  char *name = trace_get_text(cursor);
  if (!name) trace_cursor_fail(cursor);
  return name;
}

// One of `count` things.
static int get_index(TraceCursor *cursor, int count) {
  if (!count) trace_cursor_fail(cursor);
  return count ? (int)trace_get_bounded(cursor, (uint64_t)count - 1) : 0;
}

static uint8_t get_kind(TraceCursor *cursor, int count) {
  uint8_t value = trace_get_u8(cursor);
  if (value < count) return value;
  trace_cursor_fail(cursor);
  return 0;
}

static void get_buffer(TraceCursor *cursor, HostProgram *program) {
  ProgramBuffer buffer = {.contents = {.name = get_name(cursor), .role = LAUNCH_MEMORY, .is_buffer = true}};
  buffer.contents.type = (LaunchType)get_kind(cursor, LAUNCH_TYPE_COUNT);
  buffer.contents.count = trace_get_bounded(cursor,
                                            LAUNCH_MAX_BYTES / (uint64_t)launch_type_size(buffer.contents.type));
  buffer.host = (ProgramHost)get_kind(cursor, PROGRAM_HOST_COUNT);
  LS_PUSH(program->buffers, program->buffer_count, program->buffer_capacity, buffer);
}

static void get_stream(TraceCursor *cursor, HostProgram *program) {
  ProgramStream stream = {.name = get_name(cursor)};
  int64_t priority = (int64_t)trace_get_svarint(cursor);
  if (priority < INT32_MIN || priority > INT32_MAX) trace_cursor_fail(cursor);
  else stream.priority = (int)priority;
  stream.nonblocking = trace_get_u8(cursor) != 0;
  LS_PUSH(program->streams, program->stream_count, program->stream_capacity, stream);
}

static void get_arg(TraceCursor *cursor, const HostProgram *program, ProgramArg *arg) {
  ArgForm form = (ArgForm)get_kind(cursor, ARG_HOST + 1);
  *arg = (ProgramArg){.is_buffer = form != ARG_NUMBER, .of_host = form == ARG_HOST};
  if (arg->is_buffer) {
    arg->buffer = get_index(cursor, program->buffer_count);
    if (!cursor->bad) arg->first = trace_get_bounded(cursor, program->buffers[arg->buffer].contents.count);
    return;
  }
  arg->bits = trace_get_u64(cursor);
  arg->number = get_double(cursor);
  arg->integer = (int64_t)trace_get_svarint(cursor);
  arg->is_integer = trace_get_u8(cursor) != 0;
}

static void get_launch(TraceCursor *cursor, const HostProgram *program, ProgramStep *step) {
  step->kernel = get_name(cursor);
  for (int i = 0; i < 3; i++) step->grid[i] = (uint32_t)trace_get_bounded(cursor, INT32_MAX);
  for (int i = 0; i < 3; i++) step->block[i] = (uint32_t)trace_get_bounded(cursor, 1024);
  step->shared_bytes = trace_get_bounded(cursor, UINT32_MAX);
  step->cooperative = trace_get_u8(cursor) != 0;
  Launch geometry = {.shared_bytes = step->shared_bytes};
  memcpy(geometry.grid, step->grid, sizeof geometry.grid);
  memcpy(geometry.block, step->block, sizeof geometry.block);
  if (!launch_is_possible(&geometry)) trace_cursor_fail(cursor);
  uint64_t count = trace_get_bounded(cursor, MOST_ARGS);
  for (uint64_t i = 0; i < count && !cursor->bad; i++) {
    ProgramArg arg;
    get_arg(cursor, program, &arg);
    LS_PUSH(step->args, step->arg_count, step->arg_capacity, arg);
  }
}

static void get_range(TraceCursor *cursor, const HostProgram *program, ProgramStep *step) {
  step->buffer = step->from = get_index(cursor, program->buffer_count);
  step->first = trace_get_bounded(cursor, LAUNCH_MAX_BYTES);
  step->count = trace_get_bounded(cursor, LAUNCH_MAX_BYTES);
}

static void get_copy(TraceCursor *cursor, const HostProgram *program, ProgramStep *step) {
  step->direction = (ProgramDirection)get_kind(cursor, PROGRAM_DIRECTION_COUNT);
  step->async = trace_get_u8(cursor) != 0;
  get_range(cursor, program, step);
  step->from = get_index(cursor, program->buffer_count);
  step->from_first = trace_get_bounded(cursor, LAUNCH_MAX_BYTES);
}

static void get_host(TraceCursor *cursor, ProgramStep *step, int number) {
  step->words = trace_get_text(cursor);
  step->milliseconds = get_double(cursor);
  if (!(step->milliseconds >= 0 && step->milliseconds <= MOST_MILLISECONDS)) trace_cursor_fail(cursor);
  step->function = trace_get_u8(cursor) ? number : 0;
}

static void get_details(TraceCursor *cursor, const HostProgram *program, ProgramStep *step, int number) {
  switch (step->kind) {
  case PROGRAM_LAUNCH: get_launch(cursor, program, step); break;
  case PROGRAM_COPY: get_copy(cursor, program, step); break;
  case PROGRAM_SET: get_range(cursor, program, step), step->byte = trace_get_u8(cursor); break;
  case PROGRAM_HOST: get_host(cursor, step, number); break;
  case PROGRAM_SYNC:
    step->sync = (ProgramSync)get_kind(cursor, PROGRAM_SYNC_EVENT + 1);
    if (step->sync == PROGRAM_SYNC_EVENT) step->event = get_index(cursor, program->event_count);
    break;
  case PROGRAM_RECORD: case PROGRAM_WAIT: step->event = get_index(cursor, program->event_count); break;
  case PROGRAM_READ: case PROGRAM_WRITE: case PROGRAM_FREE: get_range(cursor, program, step); break;
  case PROGRAM_KIND_COUNT: break;
  }
}

static void get_step(TraceCursor *cursor, HostProgram *program) {
  ProgramStep step;
  program_step_init(&step, (ProgramKind)get_kind(cursor, PROGRAM_KIND_COUNT));
  step.stream = get_index(cursor, program->stream_count);
  if (!cursor->bad) get_details(cursor, program, &step, program->step_count + 1);
  LS_PUSH(program->steps, program->step_count, program->step_capacity, step);
}

void trace_get_program(TraceCursor *cursor, HostProgram *program) {
  program_init(program);
  program->name = get_name(cursor);
  uint64_t count = trace_get_bounded(cursor, PROGRAM_MOST_BUFFERS);
  for (uint64_t i = 0; i < count && !cursor->bad; i++) get_buffer(cursor, program);
  count = trace_get_bounded(cursor, PROGRAM_MOST_STREAMS);
  for (uint64_t i = 0; i < count && !cursor->bad; i++) get_stream(cursor, program);
  count = trace_get_bounded(cursor, MOST_EVENTS);
  for (uint64_t i = 0; i < count && !cursor->bad; i++)
    LS_PUSH(program->events, program->event_count, program->event_capacity, get_name(cursor));
  count = trace_get_bounded(cursor, PROGRAM_MOST_STEPS);
  for (uint64_t i = 0; i < count && !cursor->bad; i++) get_step(cursor, program);
  if (!cursor->bad && !program_settle(program, NULL)) trace_cursor_fail(cursor);
}
