// program_saved.c: a program as bytes: its steps, the counters, faults and findings of its launches, faults between
// steps, times, coverage.
//
//   PROG     = text name; buffers streams events steps launches faults times end
//   buffers  = varint count; each: text name, u8 type, varint elements, u8 host, u8 1 it begins on the host
//   streams  = varint count; each: text name, svarint priority, u8 1 nonblocking
//   events   = varint count; a text each
//   steps    = varint count; each: u8 kind, varint stream; then by kind
//     launch: text kernel, 3 varints grid, 3 varints block, varint shared bytes, u8 1 cooperative, varint arguments;
//       each: u8 1 buffer | 2 of the host | 4 whole number; a buffer: varint which, varint element; else u64 the number
//     copy set read write free: u8 direction, svarints buffer, from, varints first, from_first, count, u8 1 async,
//       u8 byte
//     host sync record wait: u8 what is waited for, svarint event, text words, u64 milliseconds, varint function
//   launches = varint counters; a text each; varint launches; each: varint step, varint pairs; each: varint counter,
//     varint value; varint faults (as in ENDS); text printed, varint ns to emulate, varints blocks and blocks of a
// wave,
//     u64 ns of a block, svarint findings, text the worst of them
//   faults   = varint count; each: text kind, varint step, svarint other step, svarint buffer, u64 element, svarint pc,
//     svarint other pc, text message
//   times    = u8 0 none | 1 computed | 2 measured; then u64 each: issued, begin, end of a step, svarint waited for,
// u8 row
//   end      = varint rates; u64 each; u8 1 default stream per thread | 2 single queue; u8 verdict, text, u8 1 stopped,
//     varint ns, text parameters; varint rows of coverage; each: varints buffer, elements, never written, first of
//     these; u64 the hash of each buffer in the end; measured
//   model    = varint count; u64 each: the values of program_model.def; stands behind `end`
//   children = for each of the launches: varint count; each: varint 1 + its parent among these or 0, varint number,
//     text kernel, 3 varints grid, 3 varints block, varints shared bytes, stream, block and thread that launch it,
//     svarint pc, varint launches of the same parent before it, an svarint each; then as of `launches`, without the
//     step; varint copies by kernels; each: varint child before which it is done, u64s to and bytes; if any, a u64 for
//     each buffer: where it lies. Then u8 1 times; if so, of each child, one launch's after the other's: u64s
// issued, begin, runs, over, end,
//     svarint waited for and child that ended last: among all steps, children of all launches behind those of the host.
//     Then u64s runs and over, svarint child that ended last, of each step. Stands behind `model`
//   measured = text why it was not; if it was: texts device, driver, date, varints runs, least, median and most ns,
//     varint bytes that differ, varint buffer, u8 1 of the host, varint the first of them
//
// u64 of what is no whole number: its bits. What a later version adds stands behind `end`.
#include "app/run/program_saved.h"

#include <math.h>
#include <stddef.h>

#include "app/run/program_saved_parts.h"
#include "trace/section.h"

enum { IS_BUFFER = 1, OF_HOST = 2, IS_WHOLE = 4, PER_THREAD = 1, SINGLE_QUEUE = 2, TIMES_COMPUTED = 1,
      TIMES_MEASURED = 2, MOST_ROWS = 4096,
       MOST_ARGS = 4096 };

static uint8_t get_below(TraceCursor *c, int count) {
  uint8_t value = trace_get_u8(c);
  if (value < count) return value;
  trace_cursor_fail(c);
  return 0;
}

// ---- the program ---------------------------------------------------------------------------------------------------

static void put_tables(TraceBytes *b, const HostProgram *p) {
  trace_put_varint(b, (uint64_t)p->buffer_count);
  for (int i = 0; i < p->buffer_count; i++) {
    const ProgramBuffer *buffer = &p->buffers[i];
    trace_put_text(b, buffer->contents.name);
    trace_put_u8(b, (uint8_t)buffer->contents.type);
    trace_put_varint(b, buffer->contents.count);
    trace_put_u8(b, (uint8_t)buffer->host);
    trace_put_u8(b, buffer->starts_on_host);
  }
  trace_put_varint(b, (uint64_t)p->stream_count);
  for (int i = 0; i < p->stream_count; i++) {
    trace_put_text(b, p->streams[i].name);
    saved_put_index(b, p->streams[i].priority);
    trace_put_u8(b, p->streams[i].nonblocking);
  }
  trace_put_varint(b, (uint64_t)p->event_count);
  for (int i = 0; i < p->event_count; i++) trace_put_text(b, p->events[i]);
}

static void get_buffers(TraceCursor *c, HostProgram *p) {
  uint64_t count = trace_get_bounded(c, PROGRAM_MOST_BUFFERS);
  for (uint64_t i = 0; i < count && !c->bad; i++) {
    ProgramBuffer buffer = {.contents = {.name = saved_get_words(c), .role = LAUNCH_MEMORY, .is_buffer = true}};
    buffer.contents.type = (LaunchType)get_below(c, LAUNCH_TYPE_COUNT);
    buffer.contents.count = trace_get_bounded(c, LAUNCH_MAX_BYTES / (uint64_t)launch_type_size(buffer.contents.type));
    buffer.host = (ProgramHost)get_below(c, PROGRAM_HOST_COUNT);
    buffer.starts_on_host = trace_get_u8(c) != 0;
    LS_PUSH(p->buffers, p->buffer_count, p->buffer_capacity, buffer);
  }
}

static void get_tables(TraceCursor *c, HostProgram *p) {
  get_buffers(c, p);
  uint64_t count = trace_get_bounded(c, PROGRAM_MOST_STREAMS);
  if (!count) trace_cursor_fail(c);
  for (uint64_t i = 0; i < count && !c->bad; i++) {
    ProgramStream stream = {.name = saved_get_words(c)};
    stream.priority = (int)(int32_t)trace_get_svarint(c);
    stream.nonblocking = trace_get_u8(c) != 0;
    LS_PUSH(p->streams, p->stream_count, p->stream_capacity, stream);
  }
  count = trace_get_bounded(c, PROGRAM_MOST_STEPS);
  for (uint64_t i = 0; i < count && !c->bad; i++)
    LS_PUSH(p->events, p->event_count, p->event_capacity, saved_get_words(c));
}

// ---- steps ---------------------------------------------------------------------------------------------------------

static void put_launch(TraceBytes *b, const ProgramStep *s) {
  trace_put_text(b, s->kernel);
  for (int i = 0; i < 3; i++) trace_put_varint(b, s->grid[i]);
  for (int i = 0; i < 3; i++) trace_put_varint(b, s->block[i]);
  trace_put_varint(b, s->shared_bytes);
  trace_put_u8(b, s->cooperative);
  trace_put_varint(b, (uint64_t)s->arg_count);
  for (int i = 0; i < s->arg_count; i++) {
    const ProgramArg *a = &s->args[i];
    trace_put_u8(b, (uint8_t)((a->is_buffer ? IS_BUFFER : 0) | (a->of_host ? OF_HOST : 0) |
                              (a->is_integer ? IS_WHOLE : 0)));
    if (a->is_buffer) trace_put_varint(b, (uint64_t)a->buffer), trace_put_varint(b, a->first);
    else if (a->is_integer) trace_put_u64(b, (uint64_t)a->integer);
    else saved_put_double(b, a->number);
  }
}

static void get_args(TraceCursor *c, const HostProgram *p, ProgramStep *s) {
  uint64_t count = trace_get_bounded(c, MOST_ARGS);
  for (uint64_t i = 0; i < count && !c->bad; i++) {
    uint8_t flags = trace_get_u8(c);
    ProgramArg arg = {.is_buffer = flags & IS_BUFFER, .of_host = flags & OF_HOST, .is_integer = flags & IS_WHOLE};
    if (arg.is_buffer) {
      arg.buffer = (int)trace_get_bounded(c, (uint64_t)LS_MAX(p->buffer_count - 1, 0));
      arg.first = trace_get_varint(c);
      if (!p->buffer_count) trace_cursor_fail(c);
    } else if (arg.is_integer) {
      arg.integer = (int64_t)trace_get_u64(c);
      arg.number = (double)arg.integer;
    } else {
      arg.number = saved_get_double(c);
    }
    LS_PUSH(s->args, s->arg_count, s->arg_capacity, arg);
  }
}

static void get_launch(TraceCursor *c, const HostProgram *p, ProgramStep *s) {
  s->kernel = saved_get_words(c);
  for (int i = 0; i < 3; i++) s->grid[i] = (uint32_t)trace_get_bounded(c, INT32_MAX);
  for (int i = 0; i < 3; i++) s->block[i] = (uint32_t)trace_get_bounded(c, 1024);
  s->shared_bytes = trace_get_varint(c);
  s->cooperative = trace_get_u8(c) != 0;
  get_args(c, p, s);
}

static void put_move(TraceBytes *b, const ProgramStep *s) {
  trace_put_u8(b, (uint8_t)s->direction);
  saved_put_index(b, s->buffer);
  saved_put_index(b, s->from);
  trace_put_varint(b, s->first);
  trace_put_varint(b, s->from_first);
  trace_put_varint(b, s->count);
  trace_put_u8(b, s->async);
  trace_put_u8(b, s->byte);
}

static void get_move(TraceCursor *c, const HostProgram *p, ProgramStep *s) {
  s->direction = (ProgramDirection)get_below(c, PROGRAM_DIRECTION_COUNT);
  s->buffer = saved_get_index(c, false, p->buffer_count);
  s->from = saved_get_index(c, s->kind != PROGRAM_COPY, p->buffer_count);
  s->first = trace_get_bounded(c, LAUNCH_MAX_BYTES);
  s->from_first = trace_get_bounded(c, LAUNCH_MAX_BYTES);
  s->count = trace_get_bounded(c, LAUNCH_MAX_BYTES);
  s->async = trace_get_u8(c) != 0;
  s->byte = trace_get_u8(c);
}

static void put_order(TraceBytes *b, const ProgramStep *s) {
  trace_put_u8(b, (uint8_t)s->sync);
  saved_put_index(b, s->event);
  trace_put_text(b, s->words);
  saved_put_double(b, s->milliseconds);
  trace_put_varint(b, (uint64_t)s->function);
}

static void get_order(TraceCursor *c, const HostProgram *p, ProgramStep *s) {
  s->sync = (ProgramSync)get_below(c, PROGRAM_SYNC_EVENT + 1);
  bool of_event = s->kind == PROGRAM_RECORD || s->kind == PROGRAM_WAIT ||
                  (s->kind == PROGRAM_SYNC && s->sync == PROGRAM_SYNC_EVENT);
  s->event = saved_get_index(c, !of_event, p->event_count);
  s->words = trace_get_text(c);
  s->milliseconds = saved_get_double(c);
  s->function = (int)trace_get_bounded(c, PROGRAM_MOST_STEPS);
}

static bool moves(const ProgramStep *s) {
  return s->kind == PROGRAM_COPY || s->kind == PROGRAM_SET || s->kind == PROGRAM_READ || s->kind == PROGRAM_WRITE ||
         s->kind == PROGRAM_FREE;
}

static void put_steps(TraceBytes *b, const HostProgram *p) {
  trace_put_varint(b, (uint64_t)p->step_count);
  for (int i = 0; i < p->step_count; i++) {
    const ProgramStep *s = &p->steps[i];
    trace_put_u8(b, (uint8_t)s->kind);
    trace_put_varint(b, (uint64_t)s->stream);
    if (s->kind == PROGRAM_LAUNCH) put_launch(b, s);
    else (moves(s) ? put_move : put_order)(b, s);
  }
}

static void get_steps(TraceCursor *c, HostProgram *p) {
  uint64_t count = trace_get_bounded(c, PROGRAM_MOST_STEPS);
  for (uint64_t i = 0; i < count && !c->bad; i++) {
    ProgramStep step;
    program_step_init(&step, (ProgramKind)get_below(c, PROGRAM_KIND_COUNT));
    step.stream = (int)trace_get_bounded(c, (uint64_t)LS_MAX(p->stream_count - 1, 0));
    if (step.kind == PROGRAM_LAUNCH) get_launch(c, p, &step);
    else (moves(&step) ? get_move : get_order)(c, p, &step);
    p->launches += step.kind == PROGRAM_LAUNCH;
    LS_PUSH(p->steps, p->step_count, p->step_capacity, step);
  }
  if (!p->launches) trace_cursor_fail(c);
}

// ---- launches ------------------------------------------------------------------------------------------------------

static void put_launches(TraceBytes *b, const ProgramRun *run) {
  trace_put_varint(b, COUNTER_COUNT);
  for (int i = 0; i < COUNTER_COUNT; i++) trace_put_text(b, counter_def((CounterId)i)->name);
  trace_put_varint(b, (uint64_t)run->launch_count);
  for (int i = 0; i < run->launch_count; i++) {
    trace_put_varint(b, (uint64_t)run->launches[i].step);
    saved_put_launch(b, &run->launches[i]);
  }
}

static void get_launches(TraceCursor *c, SavedCounters *counters, ProgramRun *run) {
  saved_get_counters(c, counters);
  uint64_t count = trace_get_bounded(c, (uint64_t)run->program.launches);
  run->launches = ls_alloc(sizeof *run->launches * (size_t)(count + 1));
  for (uint64_t i = 0; i < count && !c->bad; i++) {
    ProgramLaunch *l = &run->launches[run->launch_count++];
    l->step = (int)trace_get_bounded(c, PROGRAM_MOST_STEPS);
    if (l->step != program_launch_step(&run->program, (int)i + 1)) trace_cursor_fail(c);
    saved_get_launch(c, counters, l);
    counter_add(&run->counters, &l->counters);
  }
}

// ---- faults between steps ------------------------------------------------------------------------------------------

static void put_faults(TraceBytes *b, const ProgramRun *run) {
  trace_put_varint(b, (uint64_t)run->fault_count);
  for (int i = 0; i < run->fault_count; i++) {
    const ProgramFault *f = &run->faults[i];
    trace_put_text(b, program_fault_def(f->kind)->name);
    trace_put_varint(b, (uint64_t)f->step);
    saved_put_index(b, f->other_step);
    saved_put_index(b, f->buffer);
    trace_put_u64(b, f->element);
    saved_put_index(b, f->pc);
    saved_put_index(b, f->other_pc);
    trace_put_text(b, f->message);
  }
}

static int fault_kind(const char *name) {
  for (int i = 0; i < PROGRAM_FAULT_COUNT; i++)
    if (strcmp(program_fault_def((ProgramFaultKind)i)->name, name) == 0) return i;
  return -1;
}

static void get_faults(TraceCursor *c, ProgramRun *run) {
  uint64_t count = trace_get_bounded(c, INT32_MAX);
  const HostProgram *p = &run->program;
  for (uint64_t i = 0; i < count && !c->bad; i++) {
    ProgramFault f = {0};
    char *name = saved_get_words(c);
    int kind = fault_kind(name);
    free(name);
    f.step = (int)trace_get_bounded(c, (uint64_t)LS_MAX(p->step_count - 1, 0));
    f.other_step = saved_get_index(c, true, p->step_count);
    f.buffer = saved_get_index(c, true, p->buffer_count);
    f.element = trace_get_u64(c);
    f.pc = saved_get_index(c, true, INT32_MAX);
    f.other_pc = saved_get_index(c, true, INT32_MAX);
    f.message = saved_get_words(c);
    f.kind = (ProgramFaultKind)LS_MAX(kind, 0);
    if (kind < 0) trace_cursor_fail(c);
    LS_PUSH(run->faults, run->fault_count, run->fault_capacity, f);
  }
}

// ---- times, and the rest -------------------------------------------------------------------------------------------

static void put_times(TraceBytes *b, const ProgramRun *run) {
  trace_put_u8(b, !run->times ? 0 : run->is_measured ? TIMES_MEASURED : TIMES_COMPUTED);
  for (int i = 0; run->times && i < run->program.step_count; i++) {
    const ProgramTime *t = &run->times[i];
    saved_put_double(b, t->issued);
    saved_put_double(b, t->begin);
    saved_put_double(b, t->end);
    int held = t->waited_for;            // for a child: for the launch that it is below
    while (held >= run->program.step_count) held = run->program.steps[held].kin->parent;
    saved_put_index(b, held);
    trace_put_u8(b, (uint8_t)t->row);
  }
}

static void get_times(TraceCursor *c, ProgramRun *run) {
  uint8_t how = get_below(c, TIMES_MEASURED + 1);
  int count = run->program.step_count;
  if (!how || c->bad) return;
  run->is_measured = how == TIMES_MEASURED;
  run->times = program_times_new(&run->program);
  for (int i = 0; i < count && !c->bad; i++) {
    ProgramTime *t = &run->times[i];
    t->issued = saved_get_double(c);
    t->begin = saved_get_double(c);
    t->end = saved_get_double(c);
    t->runs = t->begin;
    t->over = t->end;
    t->waited_for = saved_get_index(c, true, count);
    t->row = (ProgramRow)get_below(c, PROGRAM_ROW_STREAM + 1);
    if (t->end < t->begin || t->end > 1e18 || t->begin < -1) trace_cursor_fail(c);
  }
}

static void put_measured(TraceBytes *b, const ProgramRun *run) {
  const DevProgramRun *w = &run->whole;
  trace_put_text(b, run->measure_note);
  if (!run->is_measured) return;
  trace_put_text(b, w->device_name);
  trace_put_text(b, w->driver);
  trace_put_text(b, w->date);
  trace_put_varint(b, w->runs);
  trace_put_varint(b, w->min_ns);
  trace_put_varint(b, w->median_ns);
  trace_put_varint(b, w->max_ns);
  trace_put_varint(b, run->differing_bytes);
  trace_put_varint(b, (uint64_t)run->differs.buffer);
  trace_put_u8(b, run->differs.on_host);
  trace_put_varint(b, run->differs.byte);
}

static void get_measured(TraceCursor *c, ProgramRun *run) {
  DevProgramRun *w = &run->whole;
  run->measure_note = trace_get_text(c);
  if (!run->is_measured) return;
  w->device_name = saved_get_words(c);
  w->driver = saved_get_words(c);
  w->date = saved_get_words(c);
  w->runs = (uint32_t)trace_get_bounded(c, UINT32_MAX);
  w->min_ns = trace_get_varint(c);
  w->median_ns = trace_get_varint(c);
  w->max_ns = trace_get_varint(c);
  run->differing_bytes = trace_get_varint(c);
  run->differs.buffer = (int)trace_get_bounded(c, (uint64_t)LS_MAX(run->program.buffer_count - 1, 0));
  run->differs.on_host = trace_get_u8(c) != 0;
  run->differs.byte = trace_get_varint(c);
  if (run->differing_bytes && !run->program.buffer_count) trace_cursor_fail(c);
}

static const size_t rates[] = {offsetof(ProgramRates, link_gbs), offsetof(ProgramRates, pageable_gbs),
                               offsetof(ProgramRates, link_ns), offsetof(ProgramRates, call_ns),
                               offsetof(ProgramRates, start_ns), offsetof(ProgramRates, set_gbs)};

static void put_end(TraceBytes *b, const ProgramRun *run) {
  ProgramRates all = program_model_rates(&run->model, run->arch);
  trace_put_varint(b, LS_COUNT(rates));
  for (int i = 0; i < LS_COUNT(rates); i++) {
    double value;
    memcpy(&value, (const char *)&all + rates[i], sizeof value);
    saved_put_double(b, value);
  }
  trace_put_u8(b, (uint8_t)((run->rules.default_per_thread ? PER_THREAD : 0) |
                            (run->rules.single_queue ? SINGLE_QUEUE : 0)));
  trace_put_u8(b, (uint8_t)run->verdict);
  trace_put_text(b, run->verdict_text);
  trace_put_u8(b, run->stopped);
  trace_put_varint(b, run->elapsed_ns);
  trace_put_text(b, run->parameters);
  trace_put_varint(b, (uint64_t)run->coverage_count);
  for (int i = 0; i < run->coverage_count; i++) {
    trace_put_varint(b, (uint64_t)run->coverage[i].buffer);
    trace_put_varint(b, run->coverage[i].elements);
    trace_put_varint(b, run->coverage[i].never_written);
    trace_put_varint(b, run->coverage[i].first_never);
  }
  for (int i = 0; i < run->program.buffer_count; i++) trace_put_u64(b, program_run_result(run, i));
  put_measured(b, run);
}

static void get_coverage(TraceCursor *c, ProgramRun *run) {
  int count = (int)trace_get_bounded(c, MOST_ROWS);
  run->coverage = ls_alloc(sizeof *run->coverage * (size_t)(count + 1));
  for (int i = 0; i < count && !c->bad; i++) {
    ProgramCoverage *row = &run->coverage[run->coverage_count++];
    row->buffer = (int)trace_get_bounded(c, (uint64_t)LS_MAX(run->program.buffer_count - 1, 0));
    row->elements = trace_get_varint(c);
    row->never_written = trace_get_bounded(c, row->elements);
    row->first_never = trace_get_varint(c);
    if (!run->program.buffer_count) trace_cursor_fail(c);
  }
}

static void get_end(TraceCursor *c, ProgramRun *run) {
  int count = (int)trace_get_bounded(c, MOST_ROWS);
  for (int i = 0; i < count && !c->bad; i++) saved_get_double(c);   // the model has them, too
  uint8_t rules = trace_get_u8(c);
  run->rules = (ProgramRules){.default_per_thread = rules & PER_THREAD, .single_queue = rules & SINGLE_QUEUE};
  run->verdict = (RunVerdict)get_below(c, RUN_WRONG + 1);
  run->verdict_text = saved_get_words(c);
  run->stopped = trace_get_u8(c) != 0;
  run->elapsed_ns = trace_get_varint(c);
  free(run->parameters);
  run->parameters = saved_get_words(c);
  get_coverage(c, run);
  run->results = ls_alloc(sizeof *run->results * (size_t)(run->program.buffer_count + 1));
  for (int i = 0; i < run->program.buffer_count; i++) run->results[i] = trace_get_u64(c);
  get_measured(c, run);
}

// The values that times were computed from, in the order of program_model.def: behind `end`, if there.
static void put_model(TraceBytes *b, const ProgramModel *model) {
  trace_put_varint(b, PROGRAM_MODEL_COUNT);
  for (int i = 0; i < PROGRAM_MODEL_COUNT; i++) saved_put_double(b, model->value[i]);
}

static void get_model(TraceCursor *c, ProgramRun *run) {
  program_model_init(&run->model, run->arch);
  run->model.value[PROGRAM_MODEL_DEFAULT] = run->rules.default_per_thread;
  run->model.value[PROGRAM_MODEL_QUEUE] = run->rules.single_queue;
  if (c->bad || c->p == c->end) return;
  int count = (int)trace_get_bounded(c, MOST_ROWS);
  for (int i = 0; i < count && !c->bad; i++) {
    double value = saved_get_double(c);
    if (i >= PROGRAM_MODEL_COUNT) continue;
    const ProgramModelDef *def = program_model_def((ProgramModelId)i);
    if (value >= def->least && value <= def->most) run->model.value[i] = value;
    else trace_cursor_fail(c);
  }
}

// ---- all of it -----------------------------------------------------------------------------------------------------

void program_saved_put(TraceBytes *b, const ProgramRun *run) {
  trace_put_text(b, run->program.name);
  put_tables(b, &run->program);
  put_steps(b, &run->program);
  put_launches(b, run);
  put_faults(b, run);
  put_times(b, run);
  put_end(b, run);
  put_model(b, &run->model);
  saved_put_children(b, run);
}

ProgramRun *program_saved_get(const uint8_t *data, size_t size, const RunRequest *request, const TraceInfo *info,
                              LsErr *err) {
  TraceCursor c = {data, data + size, false};
  ProgramRun *run = program_run_blank(request, info->device);
  SavedCounters counters;
  SavedChildren children = {0};
  run->program.name = saved_get_words(&c);
  get_tables(&c, &run->program);
  if (!c.bad) get_steps(&c, &run->program);
  if (!c.bad) get_launches(&c, &counters, run);
  if (!c.bad) get_faults(&c, run);
  if (!c.bad) get_times(&c, run);
  if (!c.bad) get_end(&c, run);
  if (!c.bad) get_model(&c, run);
  if (!c.bad) saved_get_children(&c, &counters, run, &children);
  program_run_tell(run);
  run->module = c.bad ? NULL : ptx_parse(info->ptx_path, info->ptx, info->ptx_length, err);
  bool known = !run->module || saved_join_children(run, &children);
  if (c.bad || !known)
    ls_fail(err, LS_EFORMAT, "%s is damaged: what it tells of the program cannot be read; record it again",
            LS_QUOTE_PATH(request->what));
  saved_children_fini(&children);
  if (run->module && known) return run;
  program_run_close(run);
  return NULL;
}
