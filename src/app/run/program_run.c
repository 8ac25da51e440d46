// program_run.c: the steps of a program one after the other: launches on the device, copies, and what the host does.
#include "app/run/program_run.h"

#include <stdlib.h>
#include <string.h>

#include "app/run/program_children.h"
#include "app/run/program_hazards.h"
#include "app/run/program_measure.h"
#include "app/run/program_memory.h"
#include "app/run/program_snapshots.h"
#include "app/run/run_parts.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/random.h"
#include "model/findings/finding.h"

static const ProgramFaultDef defs[] = {
#define PROGRAM_FAULT(NAME, name, what, advice) {name, what, advice},
#include "app/run/program_fault.def"
#undef PROGRAM_FAULT
};

const ProgramFaultDef *program_fault_def(ProgramFaultKind kind) { return &defs[kind]; }

enum { MOST_FAULTS = 100 };
static const uint64_t most_kept = 512ull << 20;   // bytes of memory as launches find it

// What is needed while the steps are done.
typedef struct Stepping {
  ProgramRun *run;
  SimOptions options;
  ProgramOrder *order;
  ProgramHazards *hazards;
  RunProgress *progress;
  int step;
  bool alone;                      // the launch without what its kernel launches
} Stepping;

// ---- words ---------------------------------------------------------------------------------------------------------

void program_run_place(const HostProgram *program, int number, LsText *out) {
  int step = program_launch_step(program, number);
  if (step >= program->step_count) {   // by a kernel: its number says by which
    ls_text_add(out, "launch ");
    program_launch_name(program, step, out);
    return;
  }
  ls_text_addf(out, "launch %d of %d", number, program->launches);
  if (step >= 0 && program->steps[step].stream > 0)
    ls_text_addf(out, ", in stream %s", program->streams[program->steps[step].stream].name);
}

// "step 4, launch scale<<<1, 32>>> in stream a (chain.cu:12)"
static void add_step(const ProgramRun *run, int step, int32_t pc, LsText *out) {
  int file = 0, line = 0;
  ls_text_addf(out, "step %d, ", step + 1);
  program_step_words(&run->program, step, out);
  if (pc >= 0 && ptx_line_of(run->module, pc, &file, &line))
    ls_text_addf(out, " (%s:%d)", ls_path_base(run->module->files[file]), line);
}

static ProgramFault *add_fault(ProgramRun *run, ProgramFault fault, LsText *words) {
  fault.message = ls_text_take(words);
  if (run->fault_count >= MOST_FAULTS) {
    free(fault.message);
    return NULL;
  }
  LS_PUSH(run->faults, run->fault_count, run->fault_capacity, fault);
  return &run->faults[run->fault_count - 1];
}

static const char *buffer_name(const ProgramRun *run, int buffer) { return run->program.buffers[buffer].contents.name; }

static ProgramFault fault_at(ProgramFaultKind kind, int step, int buffer) {
  return (ProgramFault){.kind = kind, .step = step, .other_step = -1, .buffer = buffer, .element = UINT64_MAX, .pc = -1,
                        .other_pc = -1};
}

// ---- what is wrong with one step -----------------------------------------------------------------------------------

static void check_freed(Stepping *s, int buffer) {
  ProgramRun *run = s->run;
  if (s->run->memory->freed[buffer] < 0) return;
  LsText words = {0};
  ProgramFault fault = fault_at(PROGRAM_FAULT_USE_AFTER_FREE, s->step, buffer);
  fault.other_step = s->run->memory->freed[buffer];
  add_step(run, s->step, -1, &words);
  ls_text_addf(&words, ": %s was freed in step %d", buffer_name(run, buffer), fault.other_step + 1);
  add_fault(run, fault, &words);
}

static void bad_copy(Stepping *s, int buffer, uint64_t element, const char *problem) {
  LsText words = {0};
  ProgramFault fault = fault_at(PROGRAM_FAULT_BAD_COPY, s->step, buffer);
  fault.element = element;
  add_step(s->run, s->step, -1, &words);
  ls_text_addf(&words, ": %s", problem);
  add_fault(s->run, fault, &words);
}

static bool copy_fits(Stepping *s, int buffer, uint64_t first, uint64_t bytes, const char *side) {
  const ProgramBuffer *b = &s->run->program.buffers[buffer];
  uint64_t elem = (uint64_t)launch_type_size(b->contents.type), room = program_buffer_bytes(b);
  if (first * elem <= room && bytes <= room - first * elem) return true;
  char *problem = ls_format("%llu bytes from element %llu of %s, the %s, go %llu bytes past its end",
                            (unsigned long long)bytes, (unsigned long long)first, b->contents.name, side,
                            (unsigned long long)(first * elem + bytes - room));
  bad_copy(s, buffer, b->contents.count, problem);
  free(problem);
  return false;
}

static void check_copy(Stepping *s) {
  const ProgramStep *step = &s->run->program.steps[s->step];
  const HostProgram *program = &s->run->program;
  uint64_t bytes = step->count * (uint64_t)launch_type_size(program->buffers[step->from].contents.type);
  bool sides[2] = {step->direction == PROGRAM_H2D || step->direction == PROGRAM_H2H,
                   step->direction == PROGRAM_D2H || step->direction == PROGRAM_H2H};
  int buffers[2] = {step->from, step->buffer};
  for (int i = 0; i < 2; i++) {
    check_freed(s, buffers[i]);
    if (!sides[i] || program->buffers[buffers[i]].host != PROGRAM_DEVICE_ONLY) continue;
    char *problem = ls_format("%s is on the device only: it has no side on the host to copy %s",
                              buffer_name(s->run, buffers[i]), i ? "to" : "from");
    bad_copy(s, buffers[i], UINT64_MAX, problem);
    free(problem);
  }
  if (copy_fits(s, step->from, step->from_first, bytes, "source")) copy_fits(s, step->buffer, step->first, bytes,
      "destination");
}

static void check_read(Stepping *s) {
  const ProgramStep *step = &s->run->program.steps[s->step];
  const LaunchArg *b = &s->run->program.buffers[step->buffer].contents;
  uint64_t elem = (uint64_t)launch_type_size(b->type);
  const ProgramBytes *side = program_memory_host(s->run->memory, step->buffer);
  check_freed(s, step->buffer);
  for (uint64_t i = step->first * elem; side && side->written && i < (step->first + step->count) * elem; i++) {
    if (side->written[i]) continue;
    LsText words = {0};
    ProgramFault fault = fault_at(PROGRAM_FAULT_UNWRITTEN, s->step, step->buffer);
    fault.element = i / elem;
    add_step(s->run, s->step, -1, &words);
    ls_text_addf(&words, ": nobody has written %s[%llu] on the host", b->name, (unsigned long long)fault.element);
    add_fault(s->run, fault, &words);
    return;
  }
}

// A kernel that gets an address of pageable memory stops at its first access: the program ends there.
static bool host_pointers(Stepping *s) {
  const ProgramStep *step = &s->run->program.steps[s->step];
  for (int i = 0; i < step->arg_count; i++) {
    if (!step->args[i].of_host) continue;
    LsText words = {0};
    add_step(s->run, s->step, -1, &words);
    ls_text_addf(&words, ": argument %d is the address of %s on the host, where the device finds nothing", i + 1,
                 buffer_name(s->run, step->args[i].buffer));
    add_fault(s->run, fault_at(PROGRAM_FAULT_HOST_POINTER, s->step, step->args[i].buffer), &words);
    return true;
  }
  return false;
}

// ---- pairs of steps ------------------------------------------------------------------------------------------------

static bool is_host_step(const HostProgram *program, int step) { return !program_is_on_device(&program->steps[step]); }

static bool is_known(const ProgramRun *run, const ProgramFault *fault) {
  for (int i = 0; i < run->fault_count; i++) {
    const ProgramFault *f = &run->faults[i];
    bool same_lines = f->pc >= 0 && f->pc == fault->pc && f->other_pc == fault->other_pc;
    bool same_steps = f->step == fault->step && f->other_step == fault->other_step;
    if (f->kind == fault->kind && f->buffer == fault->buffer && (same_lines || same_steps)) return true;
  }
  return false;
}

static void on_hazard(void *context, const ProgramHazard *hazard) {
  Stepping *s = context;
  ProgramRun *run = s->run;
  const ProgramAccess *later = hazard->later, *earlier = hazard->earlier;
  bool early = is_host_step(&run->program, later->step) && !later->writes;
  ProgramFault fault = fault_at(early ? PROGRAM_FAULT_EARLY_READ : PROGRAM_FAULT_UNORDERED, later->step, later->buffer);
  uint64_t elem = (uint64_t)launch_type_size(run->program.buffers[later->buffer].contents.type);
  fault.other_step = earlier->step;
  fault.element = hazard->byte / elem;
  fault.pc = hazard->later_pc;
  fault.other_pc = hazard->earlier_pc;
  if (is_known(run, &fault)) return;
  LsText words = {0};
  add_step(run, later->step, fault.pc, &words);
  ls_text_addf(&words, ": it %s %s[%llu], which ", later->writes ? "writes" : "reads", buffer_name(run, later->buffer),
               (unsigned long long)fault.element);
  add_step(run, earlier->step, fault.other_pc, &words);
  ls_text_addf(&words, " %s, and %s", earlier->writes ? "writes" : "reads",
               early ? "that may still be under way" : "nothing orders the two");
  add_fault(run, fault, &words);
}

// ---- launches ------------------------------------------------------------------------------------------------------

// Whoever hears of the accesses of a launch besides the counters.
typedef struct Listeners {
  Witness *witness;
  Touched *touched;
  Kinship *kin;
  TraceTee two, all;
} Listeners;

static TraceSink *listen(Stepping *s, Listeners *l, const Launch *launch, int entry, const TraceInfo *info,
                         Counters *counters) {
  ProgramRun *run = s->run;
  bool follows = s->hazards && program_hazards_follows(s->hazards, s->step);
  bool may_race = s->options.checks & SIM_CHECK_RACE && run->device->asked && sim_may_launch(run->module, entry);
  *l = (Listeners){0};
  if (run->snapshots) l->witness = witness_new(run->module, launch, false, counters_sink(counters));
  if (follows) l->touched = touched_new(&run->program, info, run->program.steps[s->step].arg_count);
  if (may_race) l->kin = kinship_new(run->module, entry, info);
  TraceSink *sink = l->witness ? witness_sink(l->witness) : counters_sink(counters);
  trace_tee_init(&l->two, l->touched ? touched_sink(l->touched) : NULL, l->kin ? kinship_sink(l->kin) : NULL);
  trace_tee_init(&l->all, sink, &l->two.sink);
  return l->touched || l->kin ? &l->all.sink : sink;
}

static void add_race(void *context, int buffer, uint64_t element, const KinRace *race, LsText *words) {
  Stepping *s = context;
  ProgramFault fault = fault_at(PROGRAM_FAULT_KIN_RACE, s->step, buffer);
  fault.element = element;
  fault.pc = race->pc;
  fault.other_pc = race->other_pc;
  add_fault(s->run, fault, words);
}

// What comes of a run that is over, and the launches by its kernel.
static bool end_run(Stepping *s, Launch *launch, DevRun *device_run, Listeners *l, const TraceInfo *info,
                    ProgramLaunch *out, LsErr *err) {
  ProgramRun *run = s->run;
  int first_arg = run->program.steps[s->step].arg_count;
  ProgramAsked asked;
  ProgramFamily family;
  program_take_faults(out, run->device, device_run);
  program_take_cost(run, launch, out);
  counter_add(&run->counters, &out->counters);
  run->stopped = program_was_stopped(run->device, device_run, out);
  run->launch_count++;
  program_asked_take(&asked, run->device, device_run, run->module);
  program_memory_end_launch(run->memory, launch, run->device, device_run);
  program_family_init(&family, run, out, &s->options, info, first_arg);
  family.touched = l->touched;
  family.kin = l->kin;
  family.progress = s->progress;
  bool ok = run->stopped || s->alone || program_family_run(&family, &asked, err);
  family.told = add_race;
  family.context = s;
  if (ok) program_family_tell(&family, info, first_arg);
  program_family_fini(&family);
  program_asked_free(&asked);
  return ok;
}

// Ends the launch, too.
static bool run_launch(Stepping *s, Launch *launch, ProgramLaunch *out, LsErr *err) {
  ProgramRun *run = s->run;
  TraceInfo info;
  Listeners l = {0};
  trace_info_init(&info);
  int entry = ptx_find_entry(run->module, launch->kernel, err);
  DevRequest request = {.module = run->module, .entry = entry, .launch = launch, .options = &s->options,
                        .connection = run->connection, .runner = run_request_runner(&run->request),
                        .time_limit = run->request.time_limit};
  DevRun *device_run = run->device->open(&request, &info, err);
  bool ok = device_run != NULL;
  if (ok) {
    Counters *counters = counters_new(run->module);
    TraceSink *sink = listen(s, &l, launch, entry, &info, counters);
    uint64_t start = ls_clock_ns();
    ok = run->device->run(device_run, sink, err);
    out->elapsed_ns = ls_clock_ns() - start;
    out->counters = *counters_total(counters);
    out->findings = -1;
    if (ok && l.witness) program_judge(run, entry, launch, &info, counters, l.witness, out);
    counters_free(counters);
  }
  if (ok) ok = end_run(s, launch, device_run, &l, &info, out, err);
  else program_memory_end_launch(run->memory, launch, run->device, NULL);
  if (l.touched) program_hazards_take(s->hazards, s->step, l.touched);
  witness_free(l.witness);
  kinship_free(l.kin);
  if (device_run) run->device->close(device_run);
  trace_info_fini(&info);
  return ok;
}

static void blame(Stepping *s, LsErr *err) {
  LsText place = {0};
  char message[sizeof err->message];
  if (!err) return;
  memcpy(message, err->message, sizeof message);
  program_run_place(&s->run->program, program_launch_number(&s->run->program, s->step), &place);
  ls_fail(err, err->kind, "%s: %s", ls_text_str(&place), message);
  ls_text_free(&place);
  const Recipe *recipe = s->run->request.recipe;
  if (err->kind == LS_EREQUEST && recipe && recipe->place) recipe->place(recipe, err);
}

static bool do_launch(Stepping *s, LsErr *err) {
  ProgramRun *run = s->run;
  const ProgramStep *step = &run->program.steps[s->step];
  Launch launch;
  for (int i = 0; i < step->arg_count; i++) if (step->args[i].is_buffer) check_freed(s, step->args[i].buffer);
  run->positions++;
  if (run->snapshots) program_snapshots_take(run->snapshots, run->memory, run->positions);
  if (host_pointers(s)) return run->stopped = true;
  if (!program_memory_launch(s->run->memory, s->step, false, &launch, err)) return blame(s, err), false;
  ProgramLaunch *out = &run->launches[run->launch_count];
  out->step = s->step;
  out->position = run->positions;
  bool ok = run_launch(s, &launch, out, err);
  if (!ok && err && err->kind != LS_ECANCEL) blame(s, err);
  return ok;
}

// ---- the host ------------------------------------------------------------------------------------------------------

static uint8_t *host_bytes(void *context, int buffer, bool writes) {
  Stepping *s = context;
  ProgramBytes *side = program_memory_host(s->run->memory, buffer);
  if (!side) return NULL;
  check_freed(s, buffer);
  uint64_t size = program_buffer_bytes(&s->run->program.buffers[buffer]);
  ProgramAccess access = {.step = s->step, .buffer = buffer, .writes = writes, .size = size,
                          .on_host = s->run->program.buffers[buffer].host != PROGRAM_MANAGED};
  if (s->hazards) program_hazards_add(s->hazards, &access);
  if (writes && side->written) memset(side->written, 1, size);
  if (writes) s->run->memory->came_to_host[buffer] = true;
  return side->bytes;
}

static bool do_host(Stepping *s, LsErr *err) {
  const ProgramStep *step = &s->run->program.steps[s->step];
  const Recipe *recipe = s->run->request.recipe;
  if (!step->function) return true;
  RecipeHost host = {.program = &s->run->program, .bytes = host_bytes, .context = s};
  return recipe->host(recipe, &s->run->request.values, s->step, &host, err);
}

static void do_write(Stepping *s) {
  const ProgramStep *step = &s->run->program.steps[s->step];
  uint64_t elem = (uint64_t)launch_type_size(s->run->program.buffers[step->buffer].contents.type);
  ProgramBytes *side = program_memory_host(s->run->memory, step->buffer);
  check_freed(s, step->buffer);
  if (side && side->written) memset(side->written + step->first * elem, 1, step->count * elem);
}

static void do_free(Stepping *s) {
  int buffer = s->run->program.steps[s->step].buffer;
  check_freed(s, buffer);
  if (s->run->memory->freed[buffer] < 0) s->run->memory->freed[buffer] = s->step;
}

static bool do_step(Stepping *s, LsErr *err) {
  const ProgramStep *step = &s->run->program.steps[s->step];
  switch (step->kind) {
  case PROGRAM_LAUNCH: return do_launch(s, err);
  case PROGRAM_COPY: check_copy(s); program_memory_move(s->run->memory, s->step); return true;
  case PROGRAM_SET: check_freed(s, step->buffer); program_memory_move(s->run->memory, s->step); return true;
  case PROGRAM_HOST: return do_host(s, err);
  case PROGRAM_READ: check_read(s); return true;
  case PROGRAM_WRITE: do_write(s); return true;
  case PROGRAM_FREE: do_free(s); return true;
  default: return true;   // waits and events only order
  }
}

// ---- the whole -----------------------------------------------------------------------------------------------------

static const uint8_t *check_output(void *context, int arg, uint64_t *size) {
  return program_memory_result(context, arg, size);
}

// The check sees the program's buffers as the arguments of one launch.
static bool check_answer(Stepping *s, LsErr *err) {
  ProgramRun *run = s->run;
  const Recipe *recipe = run->request.recipe;
  if (run->stopped || !recipe) return true;
  Launch all;
  launch_init(&all);
  for (int i = 0; i < run->program.buffer_count; i++)
    LS_PUSH(all.args, all.arg_count, all.arg_capacity, run->program.buffers[i].contents);
  for (int i = 0; i < all.arg_count; i++) all.args[i].is_buffer = true;
  RecipeRun view = {.launch = &all, .output = check_output, .context = s->run->memory,
                    .cancel = s->progress ? &s->progress->cancel : NULL};
  LsErr answer = {0};
  bool right = recipe->check(recipe, &run->request.values, &view, &answer);
  free(all.args);   // what they point at is the program's
  if (!right && answer.kind != LS_EFAULT) {
    if (err) *err = answer;
    return false;
  }
  run->verdict = right ? RUN_RIGHT : RUN_WRONG;
  run->verdict_text = ls_strdup(right ? "the result equals the host reference" : answer.message);
  return true;
}

static bool compute_times(Stepping *s, LsErr *err) {
  ProgramRun *run = s->run;
  if (run->stopped || run->is_measured) return true;
  ProgramCost *costs = program_run_costs(run);
  run->times = program_times_new(&run->program);
  ProgramVariant variant;
  program_variant_init(&variant, &run->program, &run->model);
  bool ok = program_model_time(&variant, &run->model, run->arch, costs, run->times, err);
  program_variant_fini(&variant);
  free(costs);
  return ok;
}

static bool is_canceled(const Stepping *s, LsErr *err) {
  return s->progress && s->progress->cancel && !ls_fail(err, LS_ECANCEL, "the run was canceled");
}

// From step `first` to the one before `last`.
static bool do_steps(Stepping *s, int first, int last, LsErr *err) {
  ProgramRun *run = s->run;
  for (s->step = first; s->step < last && !run->stopped; s->step++) {
    if (is_canceled(s, err) || !do_step(s, err)) return false;
    if (s->progress) s->progress->permille = (int)((int64_t)s->step * 1000 / run->program.step_count);
  }
  return true;
}

static bool may_launch(const ProgramRun *run, LsErr *err) {
  for (int i = 0; i < run->program.step_count; i++) {
    const ProgramStep *step = &run->program.steps[i];
    bool repeats = i > 0 && step->kernel && run->program.steps[i - 1].kernel &&
                   strcmp(step->kernel, run->program.steps[i - 1].kernel) == 0;
    if (step->kind != PROGRAM_LAUNCH || repeats) continue;
    if (!run_may_launch(run->device, run->module, ptx_find_entry(run->module, step->kernel, NULL), err)) return false;
  }
  return true;
}

static bool make_program(ProgramRun *run, LsErr *err) {
  const RunRequest *request = &run->request;
  const Recipe *recipe = request->recipe;
  if (recipe) return recipe->sequence(recipe, &request->values, &run->program, err);
  int entry = ptx_find_entry(run->module, request->launch.kernel, err);
  return entry >= 0 && program_of_launch(request->what, &request->launch, run->module, entry, &run->program, err);
}

static bool load(ProgramRun *run, RunProgress *progress, LsErr *err) {
  const RunRequest *request = &run->request;
  run->ptx = run_load_ptx(request, &run->ptx_path, progress, &run->ptx_length, err);
  if (run->ptx) run->module = ptx_parse(run->ptx_path, run->ptx, run->ptx_length, err);
  return run->module && make_program(run, err) && may_launch(run, err);
}

static void free_run(RunShared *shared);

// Ready for its first step.
static ProgramRun *begin(const RunRequest *request, RunProgress *progress, Stepping *s, LsErr *err) {
  ProgramRun *run = ls_alloc(sizeof *run);
  *s = (Stepping){.run = run, .progress = progress};
  run->shared.free = free_run;
  run_request_copy(&run->request, request);
  LsText values = {0};
  if (request->recipe) recipe_print_values(request->recipe, &request->values, &values);
  run->parameters = ls_text_take(&values);
  run->memory = ls_alloc(sizeof *run->memory);
  run->connection = dev_connection_new();
  run->device = dev_choose(request->device, run_request_runner(request), err);
  bool ok = run->device && run_options(request, progress, &s->options, err) && load(run, progress, err) &&
            program_memory_init(s->run->memory, &run->program, run->module, err);
  s->options.progress = NULL;   // blocks of one launch are not the program's progress
  run->arch = arch_find(request->profile);
  if (ok) {
    program_model_init(&run->model, run->arch);
    program_model_change(&run->model, &request->model);
    run->rules = program_model_rules(&run->model);
    run->launches = ls_alloc(sizeof *run->launches * (size_t)(run->program.launches + 1));
    return run;
  }
  program_memory_fini(s->run->memory);
  program_run_close(run);
  return NULL;
}

// No process waits any more, and no GPU is held.
static void end(Stepping *s) {
  dev_connection_free(s->run->connection);
  s->run->connection = NULL;
  program_hazards_free(s->hazards);
  program_order_free(s->order);
}

static bool is_given(const HostProgram *program, int buffer) {
  for (int i = 0; i < program->step_count; i++)
    for (int k = 0; k < program->steps[i].arg_count; k++)
      if (program->steps[i].args[k].is_buffer && program->steps[i].args[k].buffer == buffer) return true;
  return false;
}

// Of buffers that begin with what no step has written, and that some launch is given.
static void find_coverage(ProgramRun *run) {
  const HostProgram *program = &run->program;
  run->coverage = ls_alloc(sizeof *run->coverage * (size_t)(program->buffer_count + 1));
  for (int i = 0; i < program->buffer_count && !run->stopped; i++) {
    const uint8_t *written = program_memory_device(run->memory, i)->written;
    uint64_t elem = (uint64_t)launch_type_size(program->buffers[i].contents.type);
    ProgramCoverage row = {.buffer = i, .elements = program->buffers[i].contents.count, .first_never = UINT64_MAX};
    if (!written || program->buffers[i].starts_on_host || !is_given(program, i)) continue;
    for (uint64_t k = 0; k < row.elements; k++) {
      if (memchr(written + k * elem, 0, elem) == NULL) continue;
      row.first_never = LS_MIN(row.first_never, k);
      row.never_written++;
    }
    run->coverage[run->coverage_count++] = row;
  }
}

static bool is_same(const TraceFault *a, const TraceFault *b) {
  return a->kind == b->kind && a->pc == b->pc && a->other_pc == b->other_pc;
}

static void tell_faults(ProgramRun *run, const ProgramLaunch *launch, int number, int child) {
  for (int k = 0; k < launch->fault_count; k++) {
    const TraceFault *fault = &launch->faults[k];
    int known = 0;
    while (known < run->told_count && !is_same(run->told[known].fault, fault)) known++;
    if (known < run->told_count) run->told[known].launches++;
    else LS_PUSH(run->told, run->told_count, run->told_capacity, ((ProgramLaunchFault){fault, number, 1, child}));
  }
}

void program_run_tell(ProgramRun *run) {
  for (int i = 0; i < run->launch_count; i++) {
    tell_faults(run, &run->launches[i], i + 1, -1);
    for (int k = 0; k < run->launches[i].child_count; k++)
      tell_faults(run, &run->launches[i].children[k].launch, i + 1, k);
  }
}

// most: bytes of memory that is kept; 0: none is.
static ProgramRun *run_whole(const RunRequest *request, uint64_t most, RunProgress *progress, LsErr *err) {
  Stepping s;
  ProgramRun *run = begin(request, progress, &s, err);
  if (!run) return NULL;
  if (most) run->snapshots = program_snapshots_new(most);
  uint64_t start = ls_clock_ns();
  s.order = program_order_new(&run->program, run->rules, err);
  if (s.order) s.hazards = program_hazards_new(&run->program, run->module, s.order);
  run_set_stage(progress, "running");
  bool ok = s.order && do_steps(&s, 0, run->program.step_count, err);
  if (ok) program_hazards_find(s.hazards, on_hazard, &s);
  if (ok) program_run_add_children(run);
  run->elapsed_ns = ls_clock_ns() - start;
  ok = ok && program_measure(run, progress, err);
  run_set_stage(progress, "checking");
  if (progress) progress->permille = -1;
  ok = ok && check_answer(&s, err) && compute_times(&s, err);
  if (ok) program_run_tell(run), find_coverage(run);
  end(&s);
  if (ok) return run;
  program_run_close(run);
  return NULL;
}

ProgramRun *program_run_new(const RunRequest *request, RunProgress *progress, LsErr *err) {
  return run_whole(request, 0, progress, err);
}

ProgramRun *program_run_keep(const RunRequest *request, uint64_t most, RunProgress *progress, LsErr *err) {
  RunRequest plain;
  run_request_copy(&plain, request);
  plain.record = false;
  plain.launch_number = 0;
  ProgramRun *run = run_whole(&plain, most ? most : most_kept, progress, err);
  run_request_fini(&plain);
  if (run) run->request.cut = run->module->debug ? DEV_WRITTEN : DEV_COMPILED;
  return run;
}

ProgramRun *program_run_share(ProgramRun *run) {
  if (run) run->shared.sharers++;
  return run;
}

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static bool same_launch(const Launch *a, const Launch *b) {
  LsText x = {0}, y = {0};
  launch_command_line(a, &x);
  launch_command_line(b, &y);
  bool same = same_text(ls_text_str(&x), ls_text_str(&y));
  ls_text_free(&x);
  ls_text_free(&y);
  return same;
}

bool program_run_is_of(const ProgramRun *run, const RunRequest *request) {
  const RunRequest *own = &run->request;
  if (!request->recipe && !(same_text(own->what, request->what) && same_launch(&own->launch, &request->launch)))
    return false;
  return own->recipe == request->recipe && memcmp(&own->values, &request->values, sizeof own->values) == 0 &&
         own->cut == request->cut && same_text(own->device, request->device) &&
         same_text(own->profile, request->profile) && same_text(own->runner, request->runner) &&
         own->sched == request->sched && own->seed == request->seed && own->budget == request->budget &&
         memcmp(&own->model, &request->model, sizeof own->model) == 0 &&
         own->checks == request->checks && own->order_given == request->order_given && own->order == request->order;
}

// ---- one launch ----------------------------------------------------------------------------------------------------

static bool no_launch(const HostProgram *program, const char *name, int number, LsErr *err) {
  return ls_fail(err, LS_EREQUEST, "there is no launch %d: %s has %d", number, name, program->launches);
}

static bool never_comes(int number, int last, LsErr *err) {
  return ls_fail(err, LS_EFAULT, "the program does not come to launch %d: a fault ends it in launch %d", number, last);
}

static void free_launches(ProgramRun *run) {
  for (int i = 0; i < run->launch_count; i++) program_launch_fini(&run->launches[i]);
  for (int i = 0; i < run->fault_count; i++) free(run->faults[i].message);
  free(run->launches);
  free(run->faults);
}

// A place between launches: of launch `root` (from 0) and those below it, before child `child`, or, -1, before its own
// blocks.
typedef struct Place { int root, child; } Place;

static Place place_at(const ProgramRun *run, int position) {
  Place at = {run->launch_count, -1};
  for (int i = 0; i < run->launch_count; i++) {
    int below = position - run->launches[i].position;
    if (below >= 0 && below <= run->launches[i].child_count) at = (Place){i, below - 1};
  }
  return at;
}

static int position_of(const ProgramRun *run, int number) {
  const ProgramLaunch *launch = program_run_at(run, number, NULL);
  return launch ? launch->position : run->positions;   // the one that a fault kept from being run came last
}

// The host's launch by itself, without children.
static bool run_root(Stepping *s, int step, LsErr *err) {
  s->alone = true;
  bool ok = do_steps(s, step, step + 1, err);
  s->alone = false;
  return ok;
}

// From the snapshot at a position to the launch that is wanted, beside what was found before.
static bool go_on(const ProgramRun *run, ProgramMemory *memory, int from, int to, RunProgress *progress, LsErr *err) {
  ProgramRun again = {.request = run->request, .program = run->program, .module = run->module, .device = run->device,
                      .arch = run->arch, .memory = memory};
  Stepping s = {.run = &again, .progress = progress};
  Place at = place_at(run, from), end = place_at(run, to);
  const HostProgram *program = &run->program;
  int step = program_launch_step(program, at.root + 1), last = program_launch_step(program, end.root + 1);
  bool ok = true;
  if (from == to) return true;
  if (!run_options(&run->request, progress, &s.options, err)) return false;
  s.options.progress = NULL;
  again.launches = ls_alloc(sizeof *again.launches * (size_t)(program->launches + 1));
  if (at.root < end.root && at.child >= 0) {   // the rest of these children
    const ProgramLaunch *root = &run->launches[at.root];
    ok = program_family_again(&again, root, at.child, root->child_count, &s.options, progress, err);
    at = (Place){at.root, -1};
    step++;
  }
  if (ok && step < last) ok = do_steps(&s, step, last, err);
  if (ok && end.child >= 0 && at.child < 0) ok = run_root(&s, last, err);
  if (ok && end.child >= 0)
    ok = program_family_again(&again, &run->launches[end.root], at.child, end.child, &s.options, progress, err);
  free_launches(&again);
  return ok;
}

static void child_launch(const ProgramRun *run, const ProgramMemory *memory, int root, const ProgramChild *child,
                         Launch *launch) {
  launch_init(launch);
  launch->kernel = ls_strdup(run->module->funcs[child->entry].name);
  memcpy(launch->grid, child->grid, sizeof launch->grid);
  memcpy(launch->block, child->block, sizeof launch->block);
  launch->shared_bytes = child->shared;
  program_memory_child(memory, child->entry, child->params, run->launches[root].bases, true, launch);
}

// One that is given an address of the host is not run at all, and can be looked at.
int program_run_last_launch(const ProgramRun *run) {
  if (!run->stopped) return run->program.launches;
  bool unrun = run->fault_count && run->faults[run->fault_count - 1].kind == PROGRAM_FAULT_HOST_POINTER;
  return run->launch_count + unrun;
}

bool program_run_kept_launch(const ProgramRun *run, int number, RunProgress *progress, Launch *launch, LsErr *err) {
  ProgramMemory memory;
  const ProgramChild *child;
  int step = program_launch_step(&run->program, number), last = program_run_last_launch(run);
  if (step < 0) return no_launch(&run->program, run->program.name, number, err);
  program_run_at(run, number, &child);
  if (!child && number > last) return never_comes(number, last, err);
  int to = position_of(run, number);
  int from = program_snapshots_restore(run->snapshots, to, &run->program, run->module, &memory);
  bool ok = from && go_on(run, &memory, from, to, progress, err);
  if (ok && child) child_launch(run, &memory, place_at(run, to).root, child, launch);
  else if (ok) ok = program_memory_launch(&memory, step, true, launch, err);
  if (!from) never_comes(number, last, err);
  program_memory_fini(&memory);
  return ok;
}

bool program_run_launch(const RunRequest *request, int number, RunProgress *progress, Launch *launch,
                        HostProgram *program,
                        LsErr *err) {
  Stepping s;
  RunRequest plain;
  program_init(program);
  run_request_copy(&plain, request);
  plain.record = false;
  ProgramRun *run = begin(&plain, progress, &s, err);
  run_request_fini(&plain);
  if (!run) return false;
  int step = program_launch_step(&run->program, number);
  bool ok = step >= 0 || no_launch(&run->program, request->recipe->name, number, err);
  ok = ok && do_steps(&s, 0, step, err);
  if (ok && run->stopped) ok = never_comes(number, run->launch_count, err);
  s.step = step;
  if (ok && !program_memory_launch(run->memory, step, true, launch, err)) ok = false, blame(&s, err);
  end(&s);
  program_memory_fini(run->memory);   // it is about the program, which goes
  program_fini(program);
  *program = run->program;
  run->program = (HostProgram){0};
  program_run_close(run);
  return ok;
}

const uint8_t *program_run_buffer(const ProgramRun *run, int buffer, uint64_t *size) {
  *size = 0;
  return run->memory ? program_memory_result(run->memory, buffer, size) : NULL;
}

uint64_t program_run_result(const ProgramRun *run, int buffer) {
  uint64_t size;
  const uint8_t *bytes = program_run_buffer(run, buffer, &size);
  return bytes ? ls_hash64(bytes, (size_t)size) : run->results ? run->results[buffer] : 0;
}

static void free_run(RunShared *shared) {
  ProgramRun *run = (ProgramRun *)(void *)shared;
  if (run->memory) program_memory_fini(run->memory);
  free(run->memory);
  program_snapshots_free(run->snapshots);
  free_launches(run);
  free(run->told);
  free(run->order);
  free(run->places);
  free(run->reading);
  free(run->roots);
  free(run->ranks);
  free(run->coverage);
  free(run->parameters);
  free(run->results);
  free(run->times);
  free(run->verdict_text);
  free(run->measure_note);
  dev_connection_free(run->connection);
  dev_program_run_fini(&run->whole);
  ptx_module_free(run->module);
  program_fini(&run->program);
  run_request_fini(&run->request);
  free(run->ptx);
  free(run->ptx_path);
  free(run);
}

ProgramRun *program_run_blank(const RunRequest *request, const char *device) {
  ProgramRun *run = ls_alloc(sizeof *run);
  run->shared.free = free_run;
  run_request_copy(&run->request, request);
  for (int i = 0; dev_at(i); i++)
    if (!run->device || strcmp(dev_at(i)->name, device) == 0) run->device = dev_at(i);
  run->arch = arch_find(request->profile);
  if (!run->arch) run->arch = arch_find("h200");   // as for a launch whose device is not known here
  return run;
}

void program_run_close(ProgramRun *run) {
  if (run && run->shared.sharers-- == 0) free_run(&run->shared);
}

// As of a single launch: notes never count, warnings only where the user is strict.
int program_run_exit_status(const ProgramRun *run) {
  bool told = false;
  for (int i = 0; i < run->told_count && !told; i++) {
    FaultGrade grade = trace_fault_grade(run->told[i].fault);
    told = grade == GRADE_FAULT || (grade == GRADE_WARNING && run->request.strict);
  }
  return run->fault_count > 0 || run->verdict == RUN_WRONG || told;
}
