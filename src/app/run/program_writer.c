// program_writer.c: back through the steps of a program to the one that last wrote some bytes of its memory. Launches
// are run again, from memory as it was kept, until one writes them; those of a saved program are looked through.
#include <stdlib.h>

#include "app/run/program_run.h"
#include "app/run/run_parts.h"
#include "base/mem.h"

// Follows the bytes of one launch.
typedef struct Watch {
  TraceSink sink;                  // first: the sink's function gets back to the watch
  uint64_t addr, size;
  bool written; uint32_t block;    // by whom last
} Watch;

static void on_access(TraceSink *sink, const TraceEvent *event) {
  Watch *w = (Watch *)(void *)sink;
  bool writes = event->kind == TRACE_STORE || event->kind == TRACE_ATOM;
  if (!writes || event->space != TRACE_GLOBAL || !event->addr) return;
  for (int lane = 0; lane < 32; lane++) {
    uint64_t addr = event->addr[lane];
    if (!(event->mask >> lane & 1) || addr >= w->addr + w->size || addr + event->width <= w->addr) continue;
    w->written = true;
    w->block = event->block;
    return;
  }
}

static bool place_watch(const TraceInfo *info, int arg, const ProgramWriter *writer, Watch *watch) {
  for (int i = 0; i < info->object_count; i++) {
    const TraceObject *o = &info->objects[i];
    if (o->space != TRACE_GLOBAL || o->arg != arg) continue;
    *watch = (Watch){.sink = {.access = on_access}, .addr = o->base + writer->first, .size = writer->size};
    return true;
  }
  return false;
}

// Whether launch `number` writes the bytes. False with an error: it could not be run.
static bool watch_launch(const ProgramRun *run, int number, const ProgramWriter *writer, RunProgress *progress,
                         Watch *watch, LsErr *err) {
  Launch launch;
  SimOptions options;
  TraceInfo info;
  int args = run->program.steps[program_launch_step(&run->program, number)].arg_count;
  *watch = (Watch){0};
  if (!run_options(&run->request, progress, &options, err)) return false;
  options.progress = NULL;
  options.order = SIM_TURNS;       // as the launch is recorded
  if (!program_run_kept_launch(run, number, progress, &launch, err)) return false;
  trace_info_init(&info);
  DevRequest request = {.module = run->module, .entry = ptx_find_entry(run->module, launch.kernel, NULL),
                        .launch = &launch, .options = &options, .time_limit = run->request.time_limit};
  DevRun *device_run = run->device->open(&request, &info, err);
  bool ok = device_run != NULL;
  if (ok && place_watch(&info, args + writer->area, writer, watch))
    ok = run->device->run(device_run, &watch->sink, err);
  if (device_run) run->device->close(device_run);
  trace_info_fini(&info);
  launch_fini(&launch);
  return ok;
}

// ---- launches in a file --------------------------------------------------------------------------------------------

static bool all_recorded(const Trace *trace) {
  int count;
  trace_blocks(trace, &count);
  return (uint64_t)count == launch_blocks(&trace_info(trace)->launch);
}

// From its last event back to one that writes the bytes.
static bool search_back(Trace *trace, Watch *watch, LsErr *err) {
  LsErr why = {0};
  TraceQuery query;
  TraceEvent event;
  uint64_t at = trace_steps(trace);
  trace_query_init(&query);
  query.kinds = 1u << TRACE_STORE | 1u << TRACE_ATOM;
  while (!watch->written && trace_find(trace, at, -1, &query, &at, &why) && trace_event(trace, at, &event, &why))
    on_access(&watch->sink, &event);
  if (why.kind != LS_OK && err) *err = why;
  return why.kind == LS_OK;
}

static bool search_launch(const ProgramRun *run, Trace *file, int number, const ProgramWriter *writer, Watch *watch,
                          LsErr *err) {
  size_t size;
  int first, args = run->program.steps[program_launch_step(&run->program, number)].arg_count;
  trace_program(file, &size, &first);
  *watch = (Watch){0};
  Trace *trace = number == first ? file : trace_open_launch(file, number, err);
  bool ok = trace != NULL;
  if (ok && place_watch(trace_info(trace), args + writer->area, writer, watch)) ok = search_back(trace, watch, err);
  if (ok && !watch->written && !all_recorded(trace))
    ok = ls_fail(err, LS_EREQUEST, "launch %d may have written this: not all of its blocks are recorded", number);
  if (trace != file) trace_close(trace);
  return ok;
}

// ---- steps of the host ---------------------------------------------------------------------------------------------

static bool covers(const HostProgram *program, const ProgramStep *step, const ProgramWriter *writer) {
  uint64_t elem = (uint64_t)launch_type_size(program->buffers[step->buffer].contents.type);
  uint64_t first = step->first * elem, size = step->count * elem;
  return step->buffer == writer->area && first < writer->first + writer->size && writer->first < first + size;
}

// Whether a step that is no launch writes these bytes of the device's side.
static bool writes(const HostProgram *program, const ProgramStep *step, const ProgramWriter *writer) {
  bool is_buffer = writer->area < program->buffer_count;
  bool managed = is_buffer && program->buffers[writer->area].host == PROGRAM_MANAGED;
  if (!is_buffer) return false;
  bool to_device = managed || step->direction == PROGRAM_H2D || step->direction == PROGRAM_D2D;
  if (step->kind == PROGRAM_COPY) return to_device && covers(program, step, writer);
  if (step->kind == PROGRAM_SET) return covers(program, step, writer);
  if (step->kind == PROGRAM_WRITE) return managed && covers(program, step, writer);
  return managed && step->kind == PROGRAM_HOST && step->function;
}

static bool by_host(const ProgramRun *run, int step, LsErr *err) {
  LsText words = {0};
  program_step_words(&run->program, step, &words);
  ls_fail(err, LS_EREQUEST, "no launch wrote this before: it is from step %d, %s", step + 1, ls_text_str(&words));
  ls_text_free(&words);
  return false;
}

// file NULL: launches are run again.
static bool find_writer(const ProgramRun *run, Trace *file, ProgramWriter *writer, int *number, RunProgress *progress,
                        LsErr *err) {
  const HostProgram *program = &run->program;
  int launch = *number;
  if (writer->found) return true;
  for (int i = program_launch_step(program, launch) - 1; i >= 0; i--) {
    Watch watch;
    if (program->steps[i].kind != PROGRAM_LAUNCH) {
      if (writes(program, &program->steps[i], writer)) return by_host(run, i, err);
      continue;
    }
    launch--;
    bool ok = file ? search_launch(run, file, launch, writer, &watch, err)
                   : watch_launch(run, launch, writer, progress, &watch, err);
    if (!ok) return false;
    if (!watch.written) continue;
    writer->found = true;
    writer->block = watch.block;
    *number = launch;
    return true;
  }
  return ls_fail(err, LS_EREQUEST, "no step wrote this before: it is what the buffer begins with");
}

bool program_run_find_writer(const ProgramRun *run, ProgramWriter *writer, int *number, RunProgress *progress,
                             LsErr *err) {
  return find_writer(run, NULL, writer, number, progress, err);
}

bool program_file_find_writer(const ProgramRun *run, Trace *file, ProgramWriter *writer, int *number, LsErr *err) {
  return find_writer(run, file, writer, number, NULL, err);
}
