// run.c: makes runs: from a request by executing it, from a file by opening it.
#include "app/run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/orders_text.h"
#include "app/run/program_run.h"
#include "app/run/program_saved.h"
#include "app/run/recordings.h"
#include "app/run/run_parts.h"
#include "app/run/totals.h"
#include "launch/settle.h"
#include "ptx/debuginfo.h"
#include "base/clock.h"
#include "base/file.h"
#include "trace/format.h"

enum {
  FOLD_AT_OPEN = 20000,            // events of an opened trace whose totals are known at once: a few milliseconds
  FOLD_WHEN_ASKED = 300000,        // and of one that was recorded here, each time when they are asked for
};

// One that was cut off within its magic is still a trace, by its name: what is wrong with it is told by whoever opens
// it.
bool run_is_trace_file(const char *path) {
  return ls_file_begins(path, TRACE_MAGIC, sizeof TRACE_MAGIC - 1) ||
      (ls_ends_with(path, ".lst") && ls_file_exists(path));
}

// ---- loading -------------------------------------------------------------------------------------------------------

// The text of a source file that the PTX names: beside the PTX or .cu, in kernels/, or where the name says.
static char *find_source(const RunRequest *request, const char *name) {
  char *candidates[3] = {0};
  if (request->recipe && request->text &&
      strcmp(ls_path_base(name), recipe_form(request->recipe, &request->values)->source) == 0)
    return ls_strdup(request->text);
  if (request->recipe) {
    candidates[0] = run_recipe_file(request->recipe, "kernels", ls_path_base(name), NULL);
  } else {
    const char *base = ls_path_base(request->what);
    candidates[0] = ls_format("%.*s%s", (int)(base - request->what), request->what, ls_path_base(name));
    candidates[1] = ls_strdup(name);
  }
  char *text = NULL;
  for (int i = 0; i < LS_COUNT(candidates); i++) {
    if (!text && candidates[i] && ls_file_exists(candidates[i])) text =
        ls_file_read(candidates[i], 8 << 20, NULL, NULL);
    free(candidates[i]);
  }
  return text;
}

static void gather_sources(const RunRequest *request, const PtxModule *module, TraceInfo *info) {
  info->sources = ls_alloc(sizeof *info->sources * (size_t)LS_MAX(module->file_count, 1));
  info->source_count = module->file_count;
  for (int i = 0; i < module->file_count; i++) {
    info->sources[i].path = ls_strdup(module->files[i]);
    info->sources[i].text = find_source(request, module->files[i]);
  }
}

// Parameters' own names, which only the -G cut has: for -a NAME=... and for the names of buffers. Without them
// nothing is lost
// but the names.
static void adopt_names(const RunRequest *request, PtxModule *module, int entry, RunProgress *progress) {
  if (module->debug || request->code) return;
  RunRequest written = *request;
  written.cut = DEV_WRITTEN;
  size_t length = 0;
  char *path = NULL, *ptx = NULL;
  if (request->recipe || ls_ends_with(request->what, ".cu")) ptx = run_load_ptx(&written, &path, progress, &length,
      NULL);
  PtxModule *other = ptx ? ptx_parse(path, ptx, length, NULL) : NULL;
  int other_entry = other ? ptx_find_entry(other, module->funcs[entry].name, NULL) : -1;
  if (other_entry >= 0) ptx_adopt_params(module, entry, other, other_entry);
  if (other) ptx_adopt_var_types(module, other);
  ptx_module_free(other);
  free(ptx);
  free(path);
}

// Which launch of the program that was run the request means. Other parameters may give fewer launches than the one
// that was looked at.
static bool find_launch(Run *run, bool was_looked_at, LsErr *err) {
  RunRequest *request = &run->request;
  int all = program_all_launches(&run->whole->program);
  if (!request->launch_name && was_looked_at) request->launch_number = LS_MIN(request->launch_number, all);
  if (!request->launch_name) return true;
  request->launch_number = program_run_find(run->whole, request->launch_name, was_looked_at, err);
  if (!request->launch_number) return false;
  return true;
}

// Who looks at a launch looks at others, too: then the program is run as a whole, once, and kept.
static bool make_kept_launch(Run *run, RunProgress *progress, LsErr *err) {
  RunRequest *request = &run->request;
  ProgramRun *known = (ProgramRun *)(void *)request->whole;   // whose first member it is
  if (known && program_run_is_of(known, request)) run->whole = program_run_share(known);
  if (!run->whole) run->whole = program_run_keep(request, 0, progress, err);
  bool found = run->whole && find_launch(run, known != NULL, err);
  run_request_set_whole(request, NULL);   // the run's, from now on
  if (!found) return false;
  run->program = &run->whole->program;
  ProgramWriter *writer = &request->writer;
  int *number = &request->launch_number;
  if (writer->size && !program_run_find_writer(run->whole, writer, number, progress, err)) return false;
  run_request_set_launch(request, run->program, LS_MAX(*number, 1));
  return program_run_kept_launch(run->whole, *number, progress, &run->info.launch, err);
}

static bool make_launch(Run *run, RunProgress *progress, LsErr *err) {
  const RunRequest *request = &run->request;
  Launch *launch = &run->info.launch;
  if (request->recipe && request->recipe->sequence) {
    if (request->record || request->launch_name) return make_kept_launch(run, progress, err);
    run->program = ls_alloc(sizeof *run->program);
    return program_run_launch(request, LS_MAX(request->launch_number, 1), progress, launch, run->program, err);
  }
  if (request->recipe) return request->recipe->launch(request->recipe, &request->values, launch, err);
  launch_copy(launch, &request->launch);
  return true;
}

// A device that only this machine knows goes with the trace.
static void tell_profile(TraceInfo *info) {
  LsText text = {0};
  const ArchProfile *arch = arch_find(info->profile);
  free(info->profile_text);
  if (arch && !arch_is_row(arch)) arch_print(arch, &text);
  info->profile_text = text.length ? ls_text_take(&text) : NULL;
}

static const char *order_name(const RunRequest *request) {
  return run_request_order(request) == SIM_TURNS ? "turns" : "whole";
}

// "reduce_chain, launch 2 of 3"
static char *program_title(const Run *run) {
  LsText title = {0};
  ls_text_addf(&title, "%s, ", run->program->name);
  program_run_place(run->program, LS_MAX(run->request.launch_number, 1), &title);
  return ls_text_take(&title);
}

static void describe(const RunRequest *request, const Device *device, Run *run, char *ptx, size_t length, char *path) {
  TraceInfo *info = &run->info;
  info->device = ls_strdup(device->name);
  info->device_name = ls_strdup(device->title);
  info->profile = ls_strdup(request->profile);
  tell_profile(info);
  info->sched = ls_strdup(request->sched == SIM_STACK ? "stack" : "its");
  info->order = strcmp(device->name, "emu") == 0 ? ls_strdup(order_name(request)) : NULL;
  info->code = ls_strdup(run->module->debug ? "written" : "compiled");
  bool named = run->program && (request->recipe || request->launch_name);   // else it is one launch to its owner
  info->title = named ? program_title(run) : ls_strdup(request->recipe ? request->recipe->name :
                                                       ls_path_base(request->what));
  info->kernel = ls_strdup(run->module->funcs[run->entry].name);
  LsText values = {0};
  if (request->recipe) recipe_print_values(request->recipe, &request->values, &values);
  info->parameters = ls_text_take(&values);
  info->seed = request->seed;
  info->budget = request->budget;
  info->checks = request->checks;
  info->ptx = ptx;
  info->ptx_length = length;
  info->ptx_path = path;
  gather_sources(request, run->module, info);
}

static void set_text(char **to, const char *text) {
  free(*to);
  *to = ls_strdup(text);
}

static void set_none(char **to) {
  free(*to);
  *to = NULL;
}

static bool check_heap(const TraceInfo *info, const char *path, LsErr *err) {
  const Launch *launch = &info->launch;
  return !launch->heap || sim_is_heap(launch->heap, launch->heap_bytes) ||
         ls_fail(err, LS_EFORMAT, "%s is damaged: what it tells of the device heap cannot be; record it again",
                 LS_QUOTE_PATH(path));
}

// The kernel of a saved trace is executed again: PTX, launch and sources are those of the trace.
static bool load_saved(Run *run, const Device *device, LsErr *err) {
  const RunRequest *request = &run->request;
  TraceInfo *info = &run->info;
  Trace *file = trace_open(request->what, err);
  bool inside = file && request->launch_number > 1;
  Trace *saved = inside ? trace_open_launch(file, request->launch_number, err) : file;
  if (inside) trace_close(file);
  if (!saved) return false;
  trace_take_info(saved, info);
  trace_close(saved);
  if (!trace_info_check(info, request->what, err) || !check_heap(info, request->what, err)) return false;
  for (int i = 0; i < info->object_count; i++) free(info->objects[i].name);
  free(info->objects);
  info->objects = NULL;
  info->object_count = 0;   // the device lays out memory anew
  // asked for by whoever ran it then
  for (int i = 0; i < info->launch.arg_count; i++) set_none(&info->launch.args[i].output);
  set_text(&info->device, device->name);
  set_text(&info->device_name, device->title);
  set_text(&info->sched, request->sched == SIM_STACK ? "stack" : "its");
  set_none(&info->order);
  if (strcmp(device->name, "emu") == 0) set_text(&info->order, order_name(request));
  set_text(&info->profile, request->profile);
  tell_profile(info);
  run->module = ptx_parse(info->ptx_path, info->ptx, info->ptx_length, err);
  if (run->module) run->entry = ptx_find_entry(run->module, info->kernel, err);
  return run->module && run->entry >= 0;
}

// Arguments as this kernel takes them, and what somebody should know about them.
static bool settle(Run *run, LsErr *err) {
  LsText settled = {0}, notes = {0};
  bool ok = launch_settle(run->module, run->entry, &run->info.launch, &settled, err);
  if (ok) launch_unset_variables(run->module, run->entry, &run->info.launch, &notes);   // they surprise more
  if (ok) launch_shared_note(run->module, run->entry, &run->info.launch, &notes);
  ls_text_add(&notes, ls_text_str(&settled));
  ls_text_free(&settled);
  run->notes = ls_text_take(&notes);
  return ok;
}

// The launch of a file whose kernel launches others, and what is to be seen of it: itself, or one of those.
static bool make_own_program(Run *run, const char *ptx, size_t length, RunProgress *progress, LsErr *err) {
  RunRequest whole, *request = &run->request;
  ProgramRun *known = (ProgramRun *)(void *)request->whole;   // whose first member it is
  run_request_copy(&whole, request);
  launch_fini(&whole.launch);
  launch_copy(&whole.launch, &run->info.launch);
  bool same = known && program_run_is_of(known, &whole) && known->ptx_length == length &&
              memcmp(known->ptx, ptx, length) == 0;
  run_request_set_whole(&whole, NULL);
  run->whole = same ? program_run_share(known) : program_run_keep(&whole, 0, progress, err);
  run_request_fini(&whole);
  bool found = run->whole && find_launch(run, known != NULL, err);
  run_request_set_whole(request, NULL);
  if (!found) return false;
  run->program = &run->whole->program;
  ProgramWriter *writer = &request->writer;
  int *number = &request->launch_number;
  if (writer->size && !program_run_find_writer(run->whole, writer, number, progress, err)) return false;
  run_request_set_launch(request, run->program, LS_MAX(*number, 1));
  if (*number == 1) return true;
  launch_fini(&run->info.launch);
  if (!program_run_kept_launch(run->whole, *number, progress, &run->info.launch, err)) return false;
  run->entry = ptx_find_entry(run->module, run->info.launch.kernel, err);
  free(run->notes);
  return run->entry >= 0 && settle(run, err);
}

// Fills module, entry and info of a new run.
static bool load(Run *run, const Device *device, RunProgress *progress, LsErr *err) {
  RunRequest *request = &run->request;
  if (!request->recipe && run_is_trace_file(request->what)) return load_saved(run, device, err);
  char *path = NULL;
  size_t length = 0;
  char *ptx = run_load_ptx(request, &path, progress, &length, err);
  bool ok = ptx && make_launch(run, progress, err);
  if (ok) run->module = ptx_parse(path, ptx, length, err);
  ok = ok && run->module;
  if (ok) run->entry = ptx_find_entry(run->module, run->info.launch.kernel, err);
  ok = ok && run->entry >= 0 && run_may_launch(device, run->module, run->entry, err);
  bool few = run->module && (run->entry < 0 ||
                             launch_parameters(&run->info.launch) < run->module->funcs[run->entry].param_count);
  if (progress && !request->recipe)
    progress->lacks = !run->module ? RUN_LACKS_CODE : few ? RUN_LACKS_LAUNCH : RUN_LACKS_NOTHING;
  if (!ok) {
    free(ptx);
    free(path);
    return false;
  }
  adopt_names(request, run->module, run->entry, progress);
  ok = settle(run, err);
  bool seen = request->record || request->launch_name;
  if (ok && seen && program_own_has_children(request, device, run->module, run->entry, &run->info.launch))
    ok = make_own_program(run, ptx, length, progress, err);
  else if (ok && request->launch_name && !run->whole)
    ok = ls_fail(err, LS_EREQUEST,
                 "there is no launch %s: the kernel launches none, or is given textures or structs, with which the "
                 "emulator does not follow what a kernel launches", request->launch_name);
  if (!ok) {
    free(ptx);
    free(path);
    return false;
  }
  request->cut = run->module->debug ? DEV_WRITTEN : DEV_COMPILED;
  describe(request, device, run, ptx, length, path);
  return true;
}

// ---- executing -----------------------------------------------------------------------------------------------------

static void on_stage(void *context, DevStage stage) {
  RunProgress *progress = context;
  progress->permille = stage == DEV_STAGE_RUNNING ? 0 : -1;
  progress->bytes = 0;
  progress->stage = dev_stage_name(stage);
}

void run_note(const RunProgress *progress, char out[RUN_NOTE]) {
  for (int i = 0; i < RUN_NOTE; i++) out[i] = progress->note[i];
}

static bool fill_path(Run *run, SimOptions *options, LsErr *err) {
  const RunRequest *request = &run->request;
  if (!request->order_of) return true;
  if (launch_blocks(&run->info.launch) != 1 || request->sched != SIM_ITS || strcmp(run->device->name, "emu") != 0 ||
      run_request_runner(request))
    return ls_fail(err, LS_EREQUEST, "--order-of is for launches of one block in this emulator, with --sched its");
  if (!run->path_given) run->path_given = orders_parse(request->order_of, &run->path.given_count, err);
  run->path.given = run->path_given;
  run->path.count = 0;
  options->path = &run->path;
  return run->path_given != NULL;
}

// An emulator elsewhere tells sums, and the events of recorded blocks: those that findings are computed from.
static void choose_watched(const Launch *launch, SimOptions *options, uint8_t **chosen) {
  uint32_t watched[WITNESS_BLOCKS];
  int count = witness_choice(launch_blocks(launch), watched);
  if (launch_blocks(launch) > 1u << 28) return;
  *chosen = ls_alloc((size_t)launch_blocks(launch) + 1);
  for (int i = 0; i < count; i++) (*chosen)[watched[i]] = 1;
  options->record_block = *chosen;
}

// Chooses the blocks that are recorded. *chosen is for the caller to free after the run.
static bool choose_blocks(const RunRequest *request, const Launch *launch, SimOptions *options, uint8_t **chosen,
                          LsErr *err) {
  *chosen = NULL;
  if (request->blocks) {
    if (launch_blocks(launch) > 1u << 28)
      return ls_fail(err, LS_EREQUEST, "--blocks cannot choose from a grid of more than 2^28 blocks");
    *chosen = run_parse_blocks(request->blocks, launch_blocks(launch), err);
    if (request->record) options->record_block = *chosen;
    return *chosen != NULL;
  }
  if (!request->record) {
    if (run_request_runner(request) && strcmp(request->device, "emu") == 0) choose_watched(launch, options, chosen);
    return true;
  }
  options->record_all = true;
  options->record_limit = request->events ? request->events : RUN_EVENTS;
  return true;
}

// A GPU does not say who printed what.
static void add_output(Run *run, TraceWriter *writer) {
  const char *output = run->device->output(run->device_run);
  TracePrint all = {.event = UINT64_MAX, .step = UINT64_MAX, .text = (char *)(uintptr_t)output};
  TraceSink *sink = trace_writer_sink(writer);
  if (*output && !run_is_emulated(run)) sink->print(sink, &all, 1);
}

// Ends a recording: the writer's bytes or file become the run's trace.
static bool open_recording(Run *run, TraceWriter *writer, const char *path, LsErr *err) {
  if (run->interrupted) trace_writer_interrupted(writer, run->blocks_done);
  if (!trace_writer_finish(writer, err)) return false;
  if (path) {
    run->trace = trace_open(path, err);
  } else {
    size_t size;
    uint8_t *bytes = trace_writer_take(writer, &size);
    run->trace = trace_open_memory(bytes, size, err);
  }
  return run->trace != NULL;
}

// A canceled run of the emulator stands at an instruction like any other: what it counted and recorded until then is
// true.
static bool is_kept(Run *run, const RunProgress *progress, const LsErr *failure) {
  if (!progress || !progress->keep || failure->kind != LS_ECANCEL || strcmp(run->device->name, "emu") !=
      0) return false;
  if (run_request_runner(&run->request)) return false;   // the other end sends a whole run, or none
  run->interrupted = true;
  run->blocks_done = progress->blocks_done;
  return true;
}

static bool execute(Run *run, const SimOptions *options, const char *path, RunProgress *progress, LsErr *err) {
  bool measures = !run_is_emulated(run);
  DevRequest request = {.module = run->module, .entry = run->entry, .launch = &run->info.launch, .options = options,
                        .runner = run_request_runner(&run->request), .time_limit = run->request.time_limit, .timed =
                            measures,
                        .stage = progress ? on_stage : NULL, .note = progress ? run_take_note : NULL, .context =
                            progress};
  run->device_run = run->device->open(&request, &run->info, err);
  if (!run->device_run) return false;
  run->profile = arch_adopt(run->info.profile_text);   // a GPU's own
  run->counters = counters_new(run->module);
  bool by_event = measures || run_request_runner(&run->request);
  run->witness = witness_new(run->module, &run->info.launch, by_event, counters_sink(run->counters));
  TraceTee tee;
  TraceSink *sink = witness_sink(run->witness);
  TraceWriter *writer = NULL;
  if (run->request.record || measures) {   // what is measured comes with the trace
    writer = trace_writer_new(path, &run->info, err);
    if (!writer) return false;
    trace_tee_init(&tee, sink, trace_writer_sink(writer));
    sink = &tee.sink;
  }
  uint64_t start = ls_clock_ns();
  LsErr failure = {0};
  if (progress) progress->may_keep = writer && !by_event && strcmp(run->device->name, "emu") == 0;
  bool ok = run->device->run(run->device_run, sink, &failure) || is_kept(run, progress, &failure);
  if (!ok && err) *err = failure;
  if (progress) progress->may_keep = false;
  run->elapsed_ns = ls_clock_ns() - start;
  run->faults = run->device->faults(run->device_run, &run->fault_count);
  run->causes = causes_new(run->module, &run->info, run->faults, run->fault_count);
  run->counters_complete = true;
  if (ok && writer) add_output(run, writer);
  if (ok && writer) ok = open_recording(run, writer, path, err);
  if (ok && writer) run->prefix = totals_new(run->module);
  trace_writer_free(writer);
  return ok;
}

static const uint8_t *check_output(void *context, int arg, uint64_t *size) {
  Run *run = context;
  return run->device->buffer(run->device_run, arg, size);
}

// A check that is stopped leaves the run, whose answer nobody knows then.
static bool check(Run *run, const RunProgress *progress, LsErr *err) {
  const Recipe *recipe = run->request.recipe;
  if (!recipe || !recipe->check || recipe->sequence || run->interrupted || run_stopped_early(run)) return true;
  RecipeRun view = {.launch = &run->info.launch, .output = check_output, .context = run,
                    .cancel = progress ? &progress->cancel : NULL};
  LsErr answer = {0};
  bool right = recipe->check(recipe, &run->request.values, &view, &answer);
  if (!right && is_kept(run, progress, &answer)) return true;
  if (!right && answer.kind != LS_EFAULT) {
    if (err) *err = answer;
    return false;
  }
  run->verdict = right ? RUN_RIGHT : RUN_WRONG;
  run->verdict_text = ls_strdup(right ? "the result equals the host reference" : answer.message);
  return true;
}

// A recording in place of a run.
static Run *open_recorded(const RunRequest *request, const char *path, LsErr *err) {
  if (request->runner && !dev_choose(request->device, request->runner, err)) return NULL;
  if (path) {
    ls_fail(err, LS_EREQUEST, "a recording is a trace already: there is nothing to run, and nothing to save in %s",
            LS_QUOTE_PATH(path));
    return NULL;
  }
  char *recording = recording_find(request, err);
  bool inside = request->launch_number > 1;
  Run *run = !recording ? NULL : inside ? run_open_launch(recording, request->launch_number, NULL, err)
                                        : run_open(recording, err);
  free(recording);
  if (!run) return NULL;
  DevCut cut = run->request.cut;
  run_request_fini(&run->request);
  run_request_copy(&run->request, request);
  run->request.cut = cut;
  run->info.device = run->request.device;   // the trace's own words go with the trace
  run->is_outdated = recording_is_outdated(&run->info);
  if (!run->is_outdated) adopt_names(&run->request, run->module, run->entry, NULL);
  return run;
}

// Another launch of a saved program: that one, or the one before it that wrote what is looked for.
static Run *open_other(const RunRequest *request, LsErr *err) {
  ProgramWriter writer = request->writer;
  int number = request->launch_number;
  const ProgramRun *whole = (ProgramRun *)(void *)request->whole;   // whose first member it is
  if (writer.size && whole) {
    Trace *file = trace_open(request->what, err);
    bool found = file && program_file_find_writer(whole, file, &writer, &number, err);
    trace_close(file);
    if (!found) return NULL;
  }
  Run *run = run_open_launch(request->what, number, request->whole, err);
  if (run) run->request.writer = writer;
  return run;
}

Run *run_new_to_file(const RunRequest *request, const char *path, RunProgress *progress, LsErr *err) {
  if (request->recipe && request->recipe->model) {
    ls_fail(err, LS_EREQUEST, "%s is a model: it has no kernel that could run", request->recipe->name);
    return NULL;
  }
  if (request->opens) return open_other(request, err);
  if (strcmp(request->device, "recorded") == 0) return open_recorded(request, path, err);
  if (path && request->order_of) {
    ls_fail(err, LS_EREQUEST, "a run with --order-of cannot be saved: a trace has no place for the order");
    return NULL;
  }
  Run *run = ls_alloc(sizeof *run);
  run_request_copy(&run->request, request);
  trace_info_init(&run->info);
  run->owns_info = true;
  SimOptions options;
  uint8_t *chosen = NULL;
  run_set_stage(progress, "loading");
  run->device = dev_choose(request->device, run_request_runner(request), err);
  bool ok = run->device && run_options(request, progress, &options, err) && load(run, run->device, progress, err) &&
            fill_path(run, &options, err) && choose_blocks(request, &run->info.launch, &options, &chosen, err);
  run_set_stage(progress, "running");
  ok = ok && execute(run, &options, path, progress, err);
  if (ok && !run->whole) run_note_children(run);
  run_set_stage(progress, "checking");
  if (progress) progress->permille = -1;
  ok = ok && check(run, progress, err);
  if (ok) run_coverage_find(run);
  free(chosen);
  if (ok) return run;
  run_free(run);
  return NULL;
}

Run *run_new(const RunRequest *request, RunProgress *progress, LsErr *err) {
  return run_new_to_file(request, NULL, progress, err);
}

// ---- saved traces --------------------------------------------------------------------------------------------------

// The request that would make this trace again.
static void request_of(const Run *run, const char *path, RunRequest *request) {
  const TraceInfo *info = &run->info;
  run_request_init(request);
  request->what = ls_strdup(path);
  free(request->device);
  request->device = ls_strdup(info->device);
  const ArchProfile *arch = run->profile ? run->profile : arch_find(info->profile);
  if (arch) {   // else a GPU that no table has, and the trace does not tell
    free(request->profile);
    request->profile = ls_strdup(arch->name);
  }
  request->sched = strcmp(info->sched, "stack") == 0 ? SIM_STACK : SIM_ITS;
  request->cut = strcmp(info->code, "written") == 0 ? DEV_WRITTEN : DEV_COMPILED;
  request->order = info->order && strcmp(info->order, "turns") == 0 ? SIM_TURNS : SIM_WHOLE;
  request->order_given = true;
  request->seed = info->seed;
  request->budget = info->budget;
  request->checks = info->checks;
  launch_fini(&request->launch);
  launch_copy(&request->launch, &info->launch);
}

// A device that counts by itself told of the whole grid; else the recorded events are all there is to count.
static void adopt_counts(Run *run) {
  int count, tally_count;
  const TraceCount *counts = trace_counts(run->trace, &count);
  const TraceTally *tallies = trace_tallies(run->trace, &tally_count);
  if (count) run->counters = counters_new(run->module);
  TraceSink *sink = counters_sink(run->counters);
  sink->tally(sink, tallies, tally_count);
  if (count) sink->counts(sink, counts, count);
  run->counters_complete = count > 0;
}

static void adopt_output(Run *run) {
  LsText text = {0};
  int count;
  const TracePrint *prints = trace_prints(run->trace, &count);
  for (int i = 0; i < count; i++) ls_text_add(&text, prints[i].text);
  run->printed = ls_text_take(&text);
}

// Whose launch the trace is, and that it is that launch. file: which holds what is told of the program.
static bool adopt_program(Run *run, const Trace *file, int number, RunShared *known, LsErr *err) {
  size_t size;
  int first;
  const uint8_t *bytes = trace_program(file, &size, &first);
  if (!bytes) return true;
  run->request.launch_number = number ? number : first;
  if (known) run->whole = program_run_share((ProgramRun *)(void *)known);   // whose first member it is
  else run->whole = program_saved_get(bytes, size, &run->request, &run->info, err);
  if (!run->whole) return false;
  run->program = &run->whole->program;
  int step = program_launch_step(run->program, run->request.launch_number);
  const ProgramStep *launch = step >= 0 ? &run->program->steps[step] : NULL;
  const ProgramChild *child;
  program_run_at(run->whole, run->request.launch_number, &child);
  const char *kernel = child ? run->whole->module->funcs[child->entry].name : launch ? launch->kernel : "";
  if (launch) run_request_set_launch(&run->request, run->program, run->request.launch_number);
  if (launch && run->info.launch.kernel && strcmp(kernel, run->info.launch.kernel) == 0 &&
      memcmp(launch->grid, run->info.launch.grid, sizeof launch->grid) == 0)
    return true;
  return ls_fail(err, LS_EFORMAT, "%s is damaged: what it tells of the program does not fit launch %d; record it again",
                 LS_QUOTE_PATH(run->request.what), run->request.launch_number);
}

static bool fill_from_trace(Run *run, const char *path, LsErr *err) {
  if (!check_heap(trace_info(run->trace), path, err)) return false;
  run->info = *trace_info(run->trace);
  run->profile = arch_adopt(run->info.profile_text);
  request_of(run, path, &run->request);
  run->module = ptx_parse(run->info.ptx_path, run->info.ptx, run->info.ptx_length, err);
  if (!run->module) return false;
  run->entry = ptx_find_entry(run->module, run->info.kernel, err);
  if (run->entry < 0) return false;
  LsText notes = {0};
  launch_unset_variables(run->module, run->entry, &run->info.launch, &notes);
  launch_shared_note(run->module, run->entry, &run->info.launch, &notes);
  run->notes = ls_text_take(&notes);
  run->faults = trace_faults(run->trace, &run->fault_count);
  run->causes = causes_new(run->module, &run->info, run->faults, run->fault_count);
  run->interrupted = trace_interrupted(run->trace, &run->blocks_done);
  adopt_output(run);
  run->prefix = totals_new(run->module);
  run->counters = totals_counters(run->prefix);
  adopt_counts(run);
  run_advance_totals(run, FOLD_AT_OPEN);
  run_coverage_find(run);
  return true;
}

Run *run_open(const char *path, LsErr *err) {
  Run *run = ls_alloc(sizeof *run);
  launch_init(&run->request.launch);
  run->trace = trace_open(path, err);
  if (run->trace && trace_info_check(trace_info(run->trace), path, err) && fill_from_trace(run, path, err) &&
      adopt_program(run, run->trace, 0, NULL, err))
    return run;
  run_free(run);
  return NULL;
}

static bool is_program(const Trace *file, int number, bool *first, LsErr *err) {
  size_t size;
  int own;
  const uint8_t *bytes = trace_program(file, &size, &own);
  *first = own == number;
  return bytes || ls_fail(err, LS_EREQUEST, "this is a trace of one launch: there is no launch %d in it", number);
}

Run *run_open_launch(const char *path, int number, RunShared *whole, LsErr *err) {
  bool first = false;
  Trace *file = trace_open(path, err);
  if (!file || !is_program(file, number, &first, err)) {
    trace_close(file);
    return NULL;
  }
  Run *run = ls_alloc(sizeof *run);
  launch_init(&run->request.launch);
  run->trace = first ? file : trace_open_launch(file, number, err);
  bool ok = run->trace && trace_info_check(trace_info(run->trace), path, err) && fill_from_trace(run, path, err) &&
            adopt_program(run, file, number, whole, err);
  if (!first) trace_close(file);
  if (ok) return run;
  run_free(run);
  return NULL;
}

// ---- using ---------------------------------------------------------------------------------------------------------

Run *run_share(Run *run) {
  run->sharers++;
  return run;
}

void run_free(Run *run) {
  if (!run || run->sharers-- > 0) return;
  sim_replay_free(run->replay);
  run_coverage_fini(run);
  free(run->path.choices);
  free(run->path_given);
  emulated_free(run->emulated);
  trace_info_fini(&run->replay_objects);
  if (run->device_run) run->device->close(run->device_run);
  if (run->owns_info) trace_info_fini(&run->info);
  if (!run->prefix || run->counters != totals_counters(run->prefix)) counters_free(run->counters);
  totals_free(run->prefix);
  witness_free(run->witness);
  findings_free(run->findings);
  causes_free(run->causes);
  trace_close(run->trace);
  ptx_module_free(run->module);
  run_request_fini(&run->request);
  if (run->program && !run->whole) program_fini(run->program), free(run->program);
  program_run_close(run->whole);
  free(run->verdict_text);
  free(run->printed);
  free(run->notes);
  free(run);
}

bool run_write_outputs(const Run *run, LsErr *err) {
  const Launch *launch = &run->info.launch;
  for (int i = 0; i < launch->arg_count; i++) {
    if (!launch->args[i].output) continue;
    uint64_t size = 0;
    const uint8_t *bytes = run->device->buffer(run->device_run, i, &size);
    if (!bytes && launch->args[i].role == LAUNCH_VARIABLE)
      return ls_fail(err, LS_EREQUEST, "%s cannot be written to %s: the kernel that ran has no such variable",
                     launch->args[i].name,
                     LS_QUOTE_PATH(launch->args[i].output));
    if (bytes && !ls_file_write(launch->args[i].output, bytes, size, err)) return false;
  }
  return true;
}

bool run_totals_at(Run *run, uint64_t step, CounterSet *totals) {
  if (!run->prefix || !run->trace) return false;
  if (totals_at(run->prefix, run->trace, step, totals)) return true;
  if (!run->device_run || step >= trace_steps(run->trace)) return false;
  run_advance_totals(run, FOLD_WHEN_ASKED);
  return totals_at(run->prefix, run->trace, step, totals);
}

bool run_advance_totals(Run *run, uint64_t events) {
  return run->prefix && run->trace && totals_advance(run->prefix, run->trace, events);
}

// Races in global memory are events that a replay of one block cannot find by itself.
static void expect_races(const Run *run) {
  sim_replay_know(run->replay, run->faults, run->fault_count);
  for (int i = 0; i < run->fault_count; i++) {
    const TraceFault *f = &run->faults[i];
    bool is_race = f->kind == FAULT_RACE || f->kind == FAULT_LOST_UPDATE || f->kind == FAULT_UNCHECKED_READ;
    if (!is_race || f->space == TRACE_SHARED || f->step >= trace_steps(run->trace)) continue;
    int count;
    const TraceBlock *block = &trace_blocks(run->trace, &count)[trace_block_at(run->trace, f->step)];
    sim_replay_expect(run->replay, block->block, f->step - block->first, i);
  }
}

SimReplay *run_replay(Run *run, LsErr *err) {
  if (run->replay) return run->replay;
  SimOptions options;
  if (!run_options(&run->request, NULL, &options, err)) return NULL;
  options.order = run->info.order && strcmp(run->info.order, "turns") == 0 ? SIM_TURNS : SIM_WHOLE;   // as it was
  if (run->path_given) options.path = &run->path;
  run->replay = sim_replay_new(run->module, run->entry, &run->info.launch, &options, err);
  if (run->replay && run->trace && run_is_emulated(run)) expect_races(run);
  if (run->replay && !run_is_emulated(run)) sim_replay_describe(run->replay, &run->replay_objects);
  return run->replay;
}

const char *run_notes(const Run *run) { return run->notes ? run->notes : ""; }

const char *run_output(const Run *run) {
  if (run->device_run) return run->device->output(run->device_run);
  return run->printed ? run->printed : "";
}
