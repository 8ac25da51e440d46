// judge_run.c: a run of a student's kernel, and the fault of it that is told.
#include "app/practice/judge_run.h"

#include <stdlib.h>
#include <string.h>

#include "app/run/program_memory.h"
#include "model/sentence.h"

static void take_launch(JudgeRun *out) {
  out->verdict = out->run->verdict;
  out->verdict_text = out->run->verdict_text;
  out->module = out->run->module;
  out->launches = ls_alloc(sizeof *out->launches);
  out->launches[0] = *counters_total(out->run->counters);
  out->counted = (RecipeCounted){.total = out->launches, .launches = out->launches, .launch_count = 1};
}

static void take_times(JudgeRun *out) {
  const ProgramRun *run = out->program;
  const HostProgram *program = &run->program;
  out->steps = ls_alloc(sizeof *out->steps * (size_t)LS_MAX(program->step_count, 1));
  for (int i = 0; i < program->step_count; i++)
    out->steps[i] = (RecipeStepTime){program_kind_name(program->steps[i].kind),
                                     program->streams[program->steps[i].stream].name,
                                     (int64_t)run->times[i].begin, (int64_t)run->times[i].end};
  out->counted.steps = out->steps;
  out->counted.step_count = program->step_count;
  out->counted.time = (int64_t)program_time_end(program, run->times);
}

static void take_program(JudgeRun *out) {
  const ProgramRun *run = out->program;
  out->verdict = run->verdict;
  out->verdict_text = run->verdict_text;
  out->module = run->module;
  out->launches = ls_alloc(sizeof *out->launches * (size_t)LS_MAX(run->launch_count, 1));
  for (int i = 0; i < run->launch_count; i++) out->launches[i] = run->launches[i].counters;
  out->counted = (RecipeCounted){.total = &run->counters, .launches = out->launches, .launch_count = run->launch_count};
  if (run->times) take_times(out);
}

bool judge_run_make(const RunRequest *request, RunProgress *progress, JudgeRun *out, LsErr *err) {
  *out = (JudgeRun){0};
  if (request->recipe->sequence) out->program = program_run_new(request, progress, err);
  else out->run = run_new(request, progress, err);
  if (out->run) take_launch(out);
  if (out->program) take_program(out);
  return out->run || out->program;
}

void judge_run_free(JudgeRun *run) {
  run_free(run->run);
  program_run_close(run->program);
  free(run->launches);
  free(run->steps);
  *run = (JudgeRun){0};
}

// ---- what was written ----------------------------------------------------------------------------------------------

// A buffer by its name, and what of it was written, by byte; NULL: all of it.
static const LaunchArg *find_buffer(const JudgeRun *run, const char *name, const uint8_t **written) {
  *written = NULL;
  if (run->program) {
    int buffer = program_buffer(&run->program->program, name);
    if (buffer < 0) return NULL;
    *written = program_memory_device(run->program->memory, buffer)->written;
    return &run->program->program.buffers[buffer].contents;
  }
  const Launch *launch = &run->run->info.launch;
  const Device *device = run->run->device;
  for (int i = 0; i < launch->arg_count; i++) {
    const LaunchArg *arg = &launch->args[i];
    if (!arg->is_buffer || !arg->name || strcmp(arg->name, name) != 0) continue;
    if (device->written) *written = device->written(run->run->device_run, i);
    return arg;
  }
  return NULL;
}

// In the second order everything is written, with a number that no result is.
bool judge_run_unwritten(const JudgeRun *run, const char *buffer, uint64_t element, const char *got) {
  const uint8_t *written;
  const LaunchArg *arg = find_buffer(run, buffer, &written);
  if (!arg || element >= arg->count) return false;
  size_t size = (size_t)launch_type_size(arg->type);
  if (written) return memchr(written + element * size, 0, size) != NULL;
  bool filled = (run->run ? run->run->request : run->program->request).values.filled;
  return filled && arg->init == LAUNCH_CONST && strtod(got, NULL) == arg->init_value;
}

// ---- faults --------------------------------------------------------------------------------------------------------

static bool counts(const Exercise *exercise, const TraceFault *fault) {
  FaultGrade grade = trace_fault_grade(fault);
  // The check says it better.
  bool of_result = fault->kind == FAULT_NEVER_WRITTEN || fault->kind == FAULT_WRITTEN_TWICE;
  if (grade == GRADE_FAULT || (grade == GRADE_WARNING && exercise->warnings && !of_result)) return true;
  return exercise->remarks >> fault->kind & 1;
}

static int line_of(const PtxModule *module, int32_t pc) {
  int file, line;
  return pc >= 0 && ptx_line_of(module, pc, &file, &line) ? line : 0;
}

static void tell(const JudgeRun *run, const TraceFault *fault, const char *advice, int launch, JudgeFault *out) {
  LsText message = {0};
  sentence_of_message(fault, &message);
  if (!advice) advice = sentence_advice(fault);
  *out = (JudgeFault){.kind = trace_fault_name((FaultKind)fault->kind), .fault = fault, .launch = launch,
                      .message = ls_text_take(&message), .advice = advice ? ls_strdup(advice) : NULL,
                      .line = line_of(run->module, fault->pc), .other_line = line_of(run->module, fault->other_pc)};
}

// How far apart the two of a race are: lanes of a warp, warps of a block, blocks.
static int width_of(const TraceFault *fault) {
  enum { LANES = 32 };
  if (fault->block != fault->other_block) return 2;
  return fault->thread / LANES != fault->other_thread / LANES;
}

// Of the races on the line of this one the widest: whoever mends that mends it for all.
static const TraceFault *widest_on_line(const JudgeRun *run, const Exercise *exercise, const TraceFault *fault) {
  const TraceFault *widest = fault;
  int line = line_of(run->module, fault->pc);
  for (int i = 0; fault->kind == FAULT_RACE && line && i < run->run->fault_count; i++) {
    const TraceFault *other = &run->run->faults[i];
    bool same = other->kind == FAULT_RACE && counts(exercise, other) && line_of(run->module, other->pc) == line;
    if (same && width_of(other) > width_of(widest)) widest = other;
  }
  return widest;
}

// Run.causes has them in the order in which they are to be mended.
static bool launch_fault(const JudgeRun *run, const Exercise *exercise, JudgeFault *out) {
  const TraceFault *fault;
  for (int row = 0; (fault = run_fault_row(run->run, row)); row++) {
    if (!counts(exercise, fault)) continue;
    fault = widest_on_line(run, exercise, fault);
    const Cause *cause = causes_of(run->run->causes, (int)(fault - run->run->faults));
    tell(run, fault, cause ? cause->advice : NULL, 0, out);
    return true;
  }
  return false;
}

static bool between_steps(const JudgeRun *run, JudgeFault *out) {
  if (!run->program->fault_count) return false;
  const ProgramFault *fault = &run->program->faults[0];
  const ProgramFaultDef *def = program_fault_def(fault->kind);
  *out = (JudgeFault){.kind = def->name, .message = ls_strdup(fault->message), .advice = ls_strdup(def->advice),
                      .line = line_of(run->module, fault->pc), .other_line = line_of(run->module, fault->other_pc)};
  return true;
}

// A race before what nobody has written: who reads too early reads that. Of races the widest.
static bool is_first(const PtxModule *module, const TraceFault *one, const TraceFault *other) {
  bool race = one->kind == FAULT_RACE, other_race = other->kind == FAULT_RACE;
  if (race && other->kind == FAULT_UNINITIALIZED) return one->object == other->object;
  bool same_line = line_of(module, one->pc) == line_of(module, other->pc);
  return race && other_race && same_line && width_of(one) > width_of(other);
}

static bool program_fault(const JudgeRun *run, const Exercise *exercise, JudgeFault *out) {
  const ProgramLaunchFault *first = NULL;
  for (int i = 0; i < run->program->told_count; i++) {
    const ProgramLaunchFault *one = &run->program->told[i];
    if (!counts(exercise, one->fault) || (first && one->number != first->number)) continue;
    if (!first || is_first(run->module, one->fault, first->fault)) first = one;
  }
  if (first) tell(run, first->fault, NULL, first->number, out);
  return first || between_steps(run, out);
}

bool judge_run_fault(const JudgeRun *run, const Exercise *exercise, JudgeFault *out) {
  return run->run ? launch_fault(run, exercise, out) : program_fault(run, exercise, out);
}

void judge_fault_fini(JudgeFault *fault) {
  free(fault->message);
  free(fault->advice);
}

bool judge_run_find_step(const JudgeRun *run, const JudgeFault *fault, uint64_t *step) {
  for (int i = 0; run->run && fault->fault && i < run->run->fault_count; i++) {
    const TraceFault *one = &run->run->faults[i];
    const TraceFault *told = fault->fault;
    if (one->kind != told->kind || one->pc != told->pc || one->other_pc != told->other_pc) continue;
    *step = one->step;
    return one->step != UINT64_MAX;
  }
  return false;
}
