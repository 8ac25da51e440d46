// program_run.c: the steps of a program one after the other: launches on the device, copies, and what the host does.
#include "app/run/program_run.h"

#include <stdlib.h>
#include <string.h>

#include "app/run/program_hazards.h"
#include "app/run/program_memory.h"
#include "app/run/run_parts.h"
#include "base/clock.h"
#include "base/file.h"
#include "model/occ.h"

static const ProgramFaultDef defs[] = {
#define PROGRAM_FAULT(NAME, name, what, advice) {name, what, advice},
#include "app/run/program_fault.def"
#undef PROGRAM_FAULT
};

const ProgramFaultDef *program_fault_def(ProgramFaultKind kind) { return &defs[kind]; }

enum { MOST_FAULTS = 100 };

// What is needed while the steps are done.
typedef struct Stepping {
  ProgramRun *run;
  SimOptions options;
  ProgramOrder *order;
  ProgramHazards *hazards;
  RunProgress *progress;
  int step;
} Stepping;

// ---- words ---------------------------------------------------------------------------------------------------------

void program_run_place(const HostProgram *program, int number, LsText *out) {
  int step = program_launch_step(program, number);
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

static void take_faults(ProgramLaunch *launch, const Device *device, const DevRun *run) {
  int count;
  const TraceFault *faults = device->faults(run, &count);
  launch->faults = ls_alloc(sizeof *faults * (size_t)(count + 1));
  launch->fault_count = count;
  for (int i = 0; i < count; i++) {
    launch->faults[i] = faults[i];
    launch->faults[i].message = ls_strdup(faults[i].message);
  }
  launch->printed = ls_strdup(device->output(run));
}

static void take_cost(const ProgramRun *run, const Launch *launch, ProgramLaunch *out) {
  Occupancy occupancy;
  const uint64_t *v = out->counters.value;
  occ_compute(run->arch, (int)launch_threads(launch), 0, (int)launch->shared_bytes, &occupancy);
  uint64_t sectors = v[COUNTER_GLOBAL_LOAD_SECTORS] + v[COUNTER_GLOBAL_STORE_SECTORS] + v[COUNTER_GLOBAL_RED_SECTORS] +
                     v[COUNTER_GLOBAL_ATOM_SECTORS];
  out->cost.blocks = (int64_t)launch_blocks(launch);
  out->cost.per_wave = (int64_t)LS_MAX(occupancy.blocks, 1) * run->arch->sm_count;
  out->cost.block_ns = program_block_ns(run->arch, out->cost.blocks, out->cost.per_wave, sectors * 32,
                                        v[COUNTER_WARP_INSTRUCTIONS]);
}

static bool was_stopped(const Device *device, const DevRun *run, const ProgramLaunch *launch) {
  if (device->stopped) return device->stopped(run);
  for (int i = 0; i < launch->fault_count; i++)
    if (trace_fault_def((FaultKind)launch->faults[i].kind)->stops) return true;
  return false;
}

static bool run_launch(Stepping *s, const Launch *launch, DevRun **device_run, ProgramLaunch *out, LsErr *err) {
  ProgramRun *run = s->run;
  TraceInfo info;
  trace_info_init(&info);
  int entry = ptx_find_entry(run->module, launch->kernel, err);
  DevRequest request = {.module = run->module, .entry = entry, .launch = launch, .options = &s->options,
                        .time_limit = run->request.time_limit};
  *device_run = run->device->open(&request, &info, err);
  bool ok = *device_run != NULL;
  if (ok) {
    Counters *counters = counters_new(run->module);
    TraceTee both;
    bool follows = s->hazards && program_hazards_follows(s->hazards, s->step);
    Touched *touched = follows ? touched_new(&run->program, &info, run->program.steps[s->step].arg_count) : NULL;
    trace_tee_init(&both, counters_sink(counters), touched ? touched_sink(touched) : NULL);
    uint64_t start = ls_clock_ns();
    ok = run->device->run(*device_run, touched ? &both.sink : counters_sink(counters), err);
    out->elapsed_ns = ls_clock_ns() - start;
    out->counters = *counters_total(counters);
    if (touched) program_hazards_take(s->hazards, s->step, touched);
    counters_free(counters);
  }
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
}

static bool do_launch(Stepping *s, LsErr *err) {
  ProgramRun *run = s->run;
  const ProgramStep *step = &run->program.steps[s->step];
  Launch launch;
  DevRun *device_run = NULL;
  for (int i = 0; i < step->arg_count; i++) if (step->args[i].is_buffer) check_freed(s, step->args[i].buffer);
  if (host_pointers(s)) return run->stopped = true;
  if (!program_memory_launch(s->run->memory, s->step, false, &launch, err)) return blame(s, err), false;
  ProgramLaunch *out = &run->launches[run->launch_count];
  out->step = s->step;
  bool ok = run_launch(s, &launch, &device_run, out, err);
  if (ok) {
    take_faults(out, run->device, device_run);
    take_cost(run, &launch, out);
    counter_add(&run->counters, &out->counters);
    run->stopped = was_stopped(run->device, device_run, out);
    run->launch_count++;
  } else if (err && err->kind != LS_ECANCEL) {
    blame(s, err);
  }
  program_memory_end_launch(s->run->memory, &launch, run->device, ok ? device_run : NULL);
  if (device_run) run->device->close(device_run);
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
  if (run->stopped) return true;
  Launch all;
  launch_init(&all);
  for (int i = 0; i < run->program.buffer_count; i++)
    LS_PUSH(all.args, all.arg_count, all.arg_capacity, run->program.buffers[i].contents);
  for (int i = 0; i < all.arg_count; i++) all.args[i].is_buffer = true;
  RecipeRun view = {.launch = &all, .output = check_output, .context = s->run->memory};
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
  if (run->stopped) return true;
  ProgramCost *costs = ls_alloc(sizeof *costs * (size_t)(run->launch_count + 1));
  for (int i = 0; i < run->launch_count; i++) costs[i] = run->launches[i].cost;
  run->times = ls_alloc(sizeof *run->times * (size_t)run->program.step_count);
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

// last: the step before which it ends.
static bool do_steps(Stepping *s, int last, LsErr *err) {
  ProgramRun *run = s->run;
  for (s->step = 0; s->step < last && !run->stopped; s->step++) {
    if (is_canceled(s, err) || !do_step(s, err)) return false;
    if (s->progress) s->progress->permille = (int)((int64_t)s->step * 1000 / run->program.step_count);
  }
  return true;
}

static bool load(ProgramRun *run, RunProgress *progress, LsErr *err) {
  const RunRequest *request = &run->request;
  run->ptx = run_load_ptx(request, &run->ptx_path, progress, &run->ptx_length, err);
  if (run->ptx) run->module = ptx_parse(run->ptx_path, run->ptx, run->ptx_length, err);
  return run->module && request->recipe->sequence(request->recipe, &request->values, &run->program, err);
}

// Ready for its first step.
static ProgramRun *begin(const RunRequest *request, RunProgress *progress, Stepping *s, LsErr *err) {
  ProgramRun *run = ls_alloc(sizeof *run);
  *s = (Stepping){.run = run, .progress = progress};
  run_request_copy(&run->request, request);
  program_init(&run->program);
  run->memory = ls_alloc(sizeof *run->memory);
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

static void end(Stepping *s) {
  program_hazards_free(s->hazards);
  program_order_free(s->order);
}

ProgramRun *program_run_new(const RunRequest *request, RunProgress *progress, LsErr *err) {
  Stepping s;
  ProgramRun *run = begin(request, progress, &s, err);
  if (!run) return NULL;
  uint64_t start = ls_clock_ns();
  s.order = program_order_new(&run->program, run->rules, err);
  if (s.order) s.hazards = program_hazards_new(&run->program, run->module, s.order);
  bool ok = s.order && do_steps(&s, run->program.step_count, err);
  if (ok) program_hazards_find(s.hazards, on_hazard, &s);
  run->elapsed_ns = ls_clock_ns() - start;
  ok = ok && check_answer(&s, err) && compute_times(&s, err);
  end(&s);
  if (ok) return run;
  program_run_close(run);
  return NULL;
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
  bool ok = step >= 0 || ls_fail(err, LS_EREQUEST, "there is no launch %d: %s has %d", number, request->recipe->name,
                                 run->program.launches);
  ok = ok && do_steps(&s, step, err);
  if (ok && run->stopped)
    ok = ls_fail(err, LS_EFAULT, "the program does not come to launch %d: a fault ends it in launch %d", number,
                 run->launch_count);
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
  return program_memory_result(run->memory, buffer, size);
}

void program_run_close(ProgramRun *run) {
  if (!run) return;
  program_memory_fini(run->memory);
  free(run->memory);
  for (int i = 0; i < run->launch_count; i++) {
    for (int k = 0; k < run->launches[i].fault_count; k++) free(run->launches[i].faults[k].message);
    free(run->launches[i].faults);
    free(run->launches[i].printed);
  }
  for (int i = 0; i < run->fault_count; i++) free(run->faults[i].message);
  free(run->launches);
  free(run->faults);
  free(run->times);
  free(run->verdict_text);
  ptx_module_free(run->module);
  program_fini(&run->program);
  run_request_fini(&run->request);
  free(run->ptx);
  free(run->ptx_path);
  free(run);
}

static bool is_same(const TraceFault *a, const TraceFault *b) {
  return a->kind == b->kind && a->pc == b->pc && a->other_pc == b->other_pc;
}

int program_run_launch_faults(const ProgramRun *run, ProgramLaunchFault **out) {
  int count = 0, capacity = 0;
  *out = NULL;
  for (int i = 0; i < run->launch_count; i++) {
    for (int k = 0; k < run->launches[i].fault_count; k++) {
      const TraceFault *fault = &run->launches[i].faults[k];
      int known = 0;
      while (known < count && !is_same((*out)[known].fault, fault)) known++;
      if (known < count) (*out)[known].launches++;
      else LS_PUSH(*out, count, capacity, ((ProgramLaunchFault){fault, i + 1, 1}));
    }
  }
  return count;
}

int program_run_exit_status(const ProgramRun *run) {
  bool faulty = run->fault_count > 0 || run->verdict == RUN_WRONG;
  for (int i = 0; i < run->launch_count; i++) faulty |= run->launches[i].fault_count > 0;
  return faulty;
}
