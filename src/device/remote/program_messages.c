// program_messages.c: a program as a request, and its times, written and read.
#include "device/remote/program_messages.h"

#include <stdlib.h>
#include <string.h>

#include "trace/program_bytes.h"
#include "trace/section.h"

#define TIME_MOST (365.0 * 86400)

// ---- requests ------------------------------------------------------------------------------------------------------

// Buffers and variables as the arguments of one launch. free(args) ends it.
static Launch memory_of(const DevProgram *p) {
  const ProgramStep *first = &p->program->steps[program_launch_step(p->program, 1)];
  Launch all = {.kernel = first->kernel, .shared_bytes = first->shared_bytes};
  memcpy(all.grid, first->grid, sizeof all.grid);
  memcpy(all.block, first->block, sizeof all.block);
  for (int i = 0; i < p->program->buffer_count; i++) {
    LaunchArg arg = p->program->buffers[i].contents;
    arg.role = LAUNCH_MEMORY;
    arg.is_buffer = true;
    arg.output = NULL;
    LS_PUSH(all.args, all.arg_count, all.arg_capacity, arg);
  }
  for (int i = 0; i < p->variables->arg_count; i++) {
    LaunchArg arg = p->variables->args[i];
    if (arg.role == LAUNCH_POINTEE) arg.owner += p->program->buffer_count;
    LS_PUSH(all.args, all.arg_count, all.arg_capacity, arg);
  }
  return all;
}

void proto_put_program(TraceBytes *out, const char *device, const DevProgram *p) {
  TraceInfo info;
  uint64_t limit_bits;
  double limit = p->time_limit > 0 ? p->time_limit : DEV_TIME_LIMIT;
  memcpy(&limit_bits, &limit, sizeof limit_bits);
  trace_info_init(&info);
  info.ptx = (char *)p->module->text;
  info.ptx_length = p->module->text_length;
  info.ptx_path = (char *)p->module->path;
  info.launch = memory_of(p);
  trace_put_text(out, device);
  trace_put_info(out, &info);
  trace_put_program(out, p->program);
  trace_put_u64(out, limit_bits);
  free(info.launch.args);
}

// The first arguments are the buffers, as the program has them; the others belong to variables.
static bool take_memory(ProtoProgram *p) {
  Launch *all = &p->info.launch;
  int buffers = p->program.buffer_count;
  if (all->arg_count < buffers) return false;
  for (int i = 0; i < buffers; i++) {
    const LaunchArg *arg = &all->args[i], *buffer = &p->program.buffers[i].contents;
    if (arg->role != LAUNCH_MEMORY || arg->type != buffer->type || arg->count != buffer->count || !arg->name ||
        arg->image.kind != LAUNCH_NO_IMAGE)
      return false;
  }
  for (int i = buffers; i < all->arg_count; i++)
    if (all->args[i].role != LAUNCH_VARIABLE && all->args[i].role != LAUNCH_POINTEE) return false;
  for (int i = 0; i < all->arg_count; i++) {
    LaunchArg arg = all->args[i];
    if (i >= buffers && arg.role == LAUNCH_POINTEE) arg.owner -= buffers;
    if (i >= buffers) LS_PUSH(p->variables.args, p->variables.arg_count, p->variables.arg_capacity, arg);
    else launch_arg_fini(&p->program.buffers[i].contents), p->program.buffers[i].contents = arg;
  }
  all->arg_count = 0;
  return true;
}

bool proto_get_program(const uint8_t *bytes, size_t size, ProtoProgram *p, LsErr *err) {
  TraceCursor cursor = {bytes, bytes + size, false};
  *p = (ProtoProgram){.device = trace_get_text(&cursor)};
  launch_init(&p->variables);
  trace_get_info(&cursor, &p->info);
  trace_get_program(&cursor, &p->program);
  uint64_t bits = trace_get_u64(&cursor);
  memcpy(&p->time_limit, &bits, sizeof bits);
  bool whole = !cursor.bad && !trace_cursor_left(&cursor) && p->device && p->info.ptx && p->info.ptx_path;
  if (whole && p->time_limit > 0 && p->time_limit <= TIME_MOST && take_memory(p)) return true;
  return ls_fail(err, LS_EFORMAT, "the request is damaged");
}

void proto_program_fini(ProtoProgram *p) {
  free(p->device);
  trace_info_fini(&p->info);
  program_fini(&p->program);
  launch_fini(&p->variables);
  *p = (ProtoProgram){0};
}

// ---- times ---------------------------------------------------------------------------------------------------------

static void put_ns(TraceBytes *out, double ns) { trace_put_varint(out, ns > 0 ? (uint64_t)(ns + 0.5) : 0); }

void proto_put_times(TraceBytes *out, const DevProgramRun *run) {
  trace_put_text(out, run->device_name);
  trace_put_text(out, run->driver);
  trace_put_text(out, run->date);
  trace_put_varint(out, run->runs);
  trace_put_u64(out, run->min_ns);
  trace_put_u64(out, run->median_ns);
  trace_put_u64(out, run->max_ns);
  trace_put_varint(out, (uint64_t)run->step_count);
  for (int i = 0; i < run->step_count; i++) {
    put_ns(out, run->times[i].issued);
    put_ns(out, run->times[i].begin);
    put_ns(out, run->times[i].end);
  }
}

static double get_ns(TraceCursor *cursor) { return (double)trace_get_varint(cursor); }

bool proto_get_times(const uint8_t *bytes, size_t size, const HostProgram *program, DevProgramRun *run) {
  TraceCursor cursor = {bytes, bytes + size, false};
  run->device_name = trace_get_text(&cursor);
  run->driver = trace_get_text(&cursor);
  run->date = trace_get_text(&cursor);
  run->runs = (uint32_t)trace_get_bounded(&cursor, UINT32_MAX);
  run->min_ns = trace_get_u64(&cursor);
  run->median_ns = trace_get_u64(&cursor);
  run->max_ns = trace_get_u64(&cursor);
  if (trace_get_varint(&cursor) != (uint64_t)run->step_count) return false;
  for (int i = 0; i < run->step_count; i++) {
    ProgramTime *t = &run->times[i];
    *t = (ProgramTime){.waited_for = -1, .row = program_time_row(&program->steps[i])};
    t->issued = get_ns(&cursor);
    t->begin = get_ns(&cursor);
    t->end = get_ns(&cursor);
    if (t->begin < t->issued || t->end < t->begin) return false;
  }
  return !cursor.bad && !trace_cursor_left(&cursor) && run->device_name && run->driver && run->date && run->runs;
}
