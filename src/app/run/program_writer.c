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

static int own_args(const ProgramRun *run, int number) {
  return program_own_args(&run->program.steps[program_launch_step(&run->program, number)]);
}

// Whether launch `number` writes the bytes. False with an error: it could not be run.
static bool watch_launch(const ProgramRun *run, int number, const ProgramWriter *writer, RunProgress *progress,
                         Watch *watch, LsErr *err) {
  Launch launch;
  SimOptions options;
  TraceInfo info;
  int args = own_args(run, number);
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
  int first, args = own_args(run, number);
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

// ---- back through launches -----------------------------------------------------------------------------------------

typedef struct Search {
  const ProgramRun *run; Trace *file;
  ProgramWriter *writer; int *number;
  RunProgress *progress;
} Search;

// Whether launch `number` wrote it; what is found is in the search then. file NULL: launches are run again.
static bool look_at(Search *s, int number, bool *found, LsErr *err) {
  Watch watch;
  bool ok = s->file ? search_launch(s->run, s->file, number, s->writer, &watch, err)
                    : watch_launch(s->run, number, s->writer, s->progress, &watch, err);
  *found = ok && watch.written;
  if (!*found) return ok;
  s->writer->found = true;
  s->writer->block = watch.block;
  *s->number = number;
  return true;
}

// A copy or a set that device code asked for, before child `before` of a launch.
static bool moves_it(const Search *s, const ProgramLaunch *root, int before) {
  uint64_t base = s->writer->area < s->run->program.buffer_count && root->bases ? root->bases[s->writer->area] : 0;
  uint64_t first = base + s->writer->first;
  for (int i = 0; base && i < root->move_count; i++) {
    const SimDeviceOp *op = &root->moves[i].op;
    if (root->moves[i].before == before && op->to < first + s->writer->size && first < op->to + op->count) return true;
  }
  return false;
}

// From the child before `child` back to the launch of the host that it is below, and that one.
static bool look_below(Search *s, int root, int child, bool *found, LsErr *err) {
  const ProgramLaunch *launch = &s->run->launches[root - 1];
  for (int i = child; i >= 0 && !*found; i--) {
    LsText name = {0};
    bool moved = moves_it(s, launch, i);
    program_run_name(s->run, root, -1, &name);
    if (moved) ls_fail(err, LS_EREQUEST, "no launch wrote this before: a copy or a set by a kernel of launch %s did",
                       ls_text_str(&name));
    ls_text_free(&name);
    int number = i ? program_launch_number(&s->run->program, launch->first_child + i - 1) : root;
    if (moved || !look_at(s, number, found, err)) return false;
  }
  return true;
}

static bool find_writer(Search *s, LsErr *err) {
  const HostProgram *program = &s->run->program;
  const ProgramChild *below;
  bool found = s->writer->found;
  program_run_at(s->run, *s->number, &below);
  int step = program_launch_step(program, *s->number);
  if (below && !found) {
    step = below->launch.step;
    int root = program_launch_number(program, step);
    if (!look_below(s, root, (int)(below - s->run->launches[root - 1].children), &found, err))
      return false;
  }
  int launch = below ? program_launch_number(program, step) : *s->number;
  for (int i = step - 1; i >= 0 && !found; i--) {
    if (program->steps[i].kind == PROGRAM_LAUNCH) {
      launch--;
      if (!look_below(s, launch, s->run->launches[launch - 1].child_count, &found, err)) return false;
    } else if (writes(program, &program->steps[i], s->writer)) {
      return by_host(s->run, i, err);
    }
  }
  return found || ls_fail(err, LS_EREQUEST, "no step wrote this before: it is what the buffer begins with");
}

bool program_run_find_writer(const ProgramRun *run, ProgramWriter *writer, int *number, RunProgress *progress,
                             LsErr *err) {
  return find_writer(&(Search){run, NULL, writer, number, progress}, err);
}

bool program_file_find_writer(const ProgramRun *run, Trace *file, ProgramWriter *writer, int *number, LsErr *err) {
  return find_writer(&(Search){run, file, writer, number, NULL}, err);
}
