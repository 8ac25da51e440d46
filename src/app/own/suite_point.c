// suite_point.c: one recipe at one set of parameters: run, and held against what the recipe says.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/own/suite.h"
#include "app/run/expectation.h"
#include "app/run/orders_words.h"
#include "base/file.h"

static SuiteProblem *add(SuitePoint *point, const char *kind, const char *message) {
  SuiteProblem problem = {.kind = ls_strdup(kind), .message = ls_strdup(message)};
  LS_PUSH(point->problems, point->problem_count, point->problem_capacity, problem);
  point->state = SUITE_FAILED;
  return &point->problems[point->problem_count - 1];
}

// A file of the module as the user would open it: beside the recipe, if it is there.
static void set_place(SuiteProblem *problem, const SuitePoint *point, const PtxModule *module, int file, int line) {
  const char *name = module->files[file], *folder = point->recipe->folder, *base = ls_path_base(name);
  char *beside = folder && strcmp(folder, ".") != 0 ? ls_path_join(folder, base) : ls_strdup(base);
  bool is_beside = ls_file_exists(beside);
  problem->file = is_beside ? beside : ls_strdup(name);
  problem->line = line;
  if (!is_beside) free(beside);
}

static void set_place_of_pc(SuiteProblem *problem, const SuitePoint *point, const PtxModule *module, int pc) {
  int file = 0, line = 0;
  if (pc >= 0 && ptx_line_of(module, pc, &file, &line) && line > 0) set_place(problem, point, module, file, line);
}

// ---- faults, result ------------------------------------------------------------------------------------------------

static bool counts(const RunRequest *request, FaultGrade grade) {
  return grade == GRADE_FAULT || (grade == GRADE_WARNING && request->strict);
}

static void add_causes(SuitePoint *point, const Run *run) {
  for (int i = 0; i < run->causes->count; i++) {
    const Cause *cause = &run->causes->items[i];
    const TraceFault *witness = &run->faults[cause->witness];
    if (!counts(&run->request, trace_fault_def(cause->kind)->grade)) continue;
    SuiteProblem *problem = add(point, trace_fault_name(cause->kind), witness->message);
    problem->advice = ls_strdup(cause->advice);
    set_place_of_pc(problem, point, run->module, witness->pc);
  }
}

static void add_told(SuitePoint *point, const ProgramRun *run) {
  for (int i = 0; i < run->told_count; i++) {
    const TraceFault *fault = run->told[i].fault;
    LsText message = {0};
    if (!counts(&run->request, trace_fault_grade(fault))) continue;
    ls_text_addf(&message, "launch %d: %s", run->told[i].number, fault->message);
    SuiteProblem *problem = add(point, trace_fault_name((FaultKind)fault->kind), ls_text_str(&message));
    problem->advice = ls_strdup(sentence_advice(fault));
    set_place_of_pc(problem, point, run->module, fault->pc);
    ls_text_free(&message);
  }
  for (int i = 0; i < run->fault_count; i++) {
    const ProgramFaultDef *def = program_fault_def(run->faults[i].kind);
    SuiteProblem *problem = add(point, def->name, run->faults[i].message);
    problem->advice = ls_strdup(def->advice);
    set_place_of_pc(problem, point, run->module, run->faults[i].pc);
    if (!problem->file) problem->file = ls_strdup(point->path);
  }
}

// The first line of the kernel is the place of what is wrong with all of it.
static void set_place_of_kernel(SuiteProblem *problem, const SuitePoint *point, const PtxModule *module, int entry) {
  if (entry >= 0) set_place_of_pc(problem, point, module, module->funcs[entry].first);
  if (!problem->file) problem->file = ls_strdup(point->path);
}

static void add_wrong(SuitePoint *point, RunVerdict verdict, const char *text, const PtxModule *module, int entry) {
  if (verdict != RUN_WRONG) return;
  set_place_of_kernel(add(point, "result", text), point, module, entry);
}

// ---- limits --------------------------------------------------------------------------------------------------------

static void number(double value, LsText *out) {
  char digits[32];
  if (value >= 0 && value < 1e15 && value == (double)(uint64_t)value)
    ls_text_add(out, ls_group_digits((uint64_t)value, digits));
  else ls_text_addf(out, "%.6g", value);
}

static void add_limit(SuitePoint *point, const RecipeLimit *limit, const PtxModule *module, int entry) {
  LsText text = {0};
  ls_text_addf(&text, "%s: ", limit->what);
  number(limit->value, &text);
  ls_text_add(&text, limit->is_least ? " where at least " : " where at most ");
  number(limit->bound, &text);
  ls_text_add(&text, limit->is_least ? " must be" : " may be");
  set_place_of_kernel(add(point, "limit", ls_text_str(&text)), point, module, entry);
  ls_text_free(&text);
}

static void check_limits(SuitePoint *point, const RecipeCounted *counted, uint64_t seed, const PtxModule *module,
                         int entry) {
  LsErr err = {0};
  const Recipe *recipe = point->recipe;
  if (!recipe->limits || seed) return;   // lanes that a seed parts ask one by one
  if (!recipe->limits(recipe, &point->values, counted, &point->limits, &err)) {
    suite_point_add(point, SUITE_BAD, "recipe", &err);
    return;
  }
  for (int i = 0; i < point->limits.count; i++)
    if (!recipe_limit_holds(&point->limits.items[i])) add_limit(point, &point->limits.items[i], module, entry);
}

// ---- what was expected ---------------------------------------------------------------------------------------------

// Whether a run like any other is expected: right, and without faults.
static bool expects_nothing(const RecipeExpect *expect) {
  return expect->outcome == RECIPE_RIGHT && !expect->faults && !expect->between && !expect->findings &&
         !expect->written_count;
}

static void skip(SuitePoint *point, const char *reason) {
  point->state = SUITE_SKIPPED;
  point->reason = ls_strdup(reason);
}

// "chain n=33: expected race, which was not found": the point is known already.
static void add_difference(SuitePoint *point, const LsErr *err) {
  const char *words = strstr(err->message, ": ");
  SuiteProblem *problem = add(point, "expectation", words ? words + 2 : err->message);
  problem->file = ls_strdup(point->path);
}

static bool judges_expectation(SuitePoint *point, const RunRequest *request, bool is_emulated) {
  if (request->checks == SIM_CHECK_ALL && is_emulated) return true;
  skip(point, "what is expected of it is known of the emulator with all checks");
  return false;
}

// ---- one launch, a program -----------------------------------------------------------------------------------------

static void try_orders(SuitePoint *point, const Run *run, uint64_t seeds, RunProgress *progress) {
  LsErr err = {0};
  LsText words = {0};
  Orders *orders = orders_new(run, seeds, progress, &err);
  if (!orders) {
    suite_point_add(point, err.kind == LS_ECANCEL ? SUITE_CANCELED : SUITE_FAILED, "order", &err);
    return;
  }
  if (orders->differ) {
    orders_verdict_words(orders, &words);
    set_place_of_kernel(add(point, "order", ls_text_str(&words)), point, run->module, run->entry);
  }
  ls_text_free(&words);
  orders_free(orders);
}

static void judge_run(SuitePoint *point, Run *run, const RecipeExpect *expect, const SuiteOptions *options,
                      RunProgress *progress) {
  LsErr err = {0};
  int results;
  RecipeCounted counted = {.total = counters_total(run->counters), .launches = counters_total(run->counters),
                           .launch_count = 1};
  run_coverage(run, &results);   // its warnings are among the faults
  if (!expects_nothing(expect)) {
    if (!judges_expectation(point, &run->request, run_is_emulated(run))) return;
    if (!expectation_is_met(run, &err)) add_difference(point, &err);
  } else {
    add_causes(point, run);
    add_wrong(point, run->verdict, run->verdict_text, run->module, run->entry);
  }
  if (point->state == SUITE_PASSED) check_limits(point, &counted, run->request.seed, run->module, run->entry);
  bool tries = options->orders && run_is_emulated(run) && expects_nothing(expect);
  if (point->state == SUITE_PASSED && tries) try_orders(point, run, options->orders, progress);
}

static void judge_program(SuitePoint *point, const ProgramRun *run, const RecipeExpect *expect) {
  LsErr err = {0};
  CounterSet *launches = ls_alloc(sizeof *launches * (size_t)LS_MAX(run->launch_count, 1));
  for (int i = 0; i < run->launch_count; i++) launches[i] = run->launches[i].counters;
  RecipeCounted counted = {.total = &run->counters, .launches = launches, .launch_count = run->launch_count};
  const char *first = run->launch_count ? run->program.steps[run->launches[0].step].kernel : NULL;
  int entry = first ? ptx_find_entry(run->module, first, NULL) : -1;
  if (!expects_nothing(expect)) {
    if (judges_expectation(point, &run->request, strcmp(run->device->name, "emu") == 0) &&
        !expectation_is_met_by(run, &err)) add_difference(point, &err);
  } else {
    add_told(point, run);
    add_wrong(point, run->verdict, run->verdict_text, run->module, entry);
  }
  if (point->state == SUITE_PASSED) check_limits(point, &counted, run->request.seed, run->module, entry);
  free(launches);
}

// ---- a point -------------------------------------------------------------------------------------------------------

// Whether it is the recipe that is wrong: what it refuses in its own words has no place.
static bool is_of_recipe(const LsErr *err) { return ls_ends_with(err->file, ".lua"); }

static void fail(SuitePoint *point, const LsErr *err, const char *kind) {
  if (err->kind == LS_ECANCEL) point->state = SUITE_CANCELED;
  else if (err->kind == LS_EENV) suite_point_add(point, SUITE_LACKS, "environment", err);
  else if (is_of_recipe(err)) suite_point_add(point, SUITE_BAD, "recipe", err);
  else suite_point_add(point, SUITE_FAILED, strstr(err->message, " does not compile:") ? "compile" : kind, err);
}

// Whether the recipe takes the parameters.
static bool can_launch(SuitePoint *point) {
  const Recipe *recipe = point->recipe;
  LsErr err = {0};
  Launch launch;
  HostProgram program;
  bool ok = recipe->sequence ? recipe->sequence(recipe, &point->values, &program, &err)
                             : recipe->launch(recipe, &point->values, &launch, &err);
  if (recipe->sequence) program_fini(&program);
  else launch_fini(&launch);
  if (!ok && point->is_chosen && !is_of_recipe(&err)) skip(point, err.message);
  else if (!ok) fail(point, &err, "launch");
  return ok;
}

static void make_request(const SuitePoint *point, const SuiteOptions *options, RunRequest *request) {
  run_request_copy(request, options->base);
  free(request->what);
  request->what = ls_strdup(point->path);
  request->recipe = point->recipe;
  request->values = point->values;
  run_request_use_cut(request);
  if (!request->threads && options->jobs > 1) request->threads = 1;   // the points are side by side already
}

void suite_point_run(SuitePoint *point, const SuiteOptions *options, RunProgress *progress) {
  LsErr err = {0};
  RecipeExpect expect;
  RunRequest request;
  point->state = SUITE_PASSED;
  if (!can_launch(point)) return;
  if (!point->recipe->expect(point->recipe, &point->values, &expect, &err)) {
    suite_point_add(point, SUITE_BAD, "recipe", &err);
    return;
  }
  make_request(point, options, &request);
  if (expect.on_stack) request.sched = SIM_STACK;
  ProgramRun *program = point->recipe->sequence ? program_run_new(&request, progress, &err) : NULL;
  Run *run = point->recipe->sequence ? NULL : run_new(&request, progress, &err);
  if (program) judge_program(point, program, &expect);
  else if (run) judge_run(point, run, &expect, options, progress);
  else fail(point, &err, "launch");
  program_run_close(program);
  if (run) run_free(run);
  run_request_fini(&request);
}
