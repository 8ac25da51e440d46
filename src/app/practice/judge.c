// judge.c: the cases of an exercise, one after the other, until something is wrong.
#include "app/practice/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/practice/judge_code.h"
#include "app/practice/judge_run.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/random.h"

typedef struct Judging {
  const Exercise *exercise;
  const JudgeRequest *wish;
  RunProgress *progress;
  Verdict *verdict;
  RunRequest request;              // with the code, for every run
  ExerciseCase item;
  int index, order;                // what is judged: case and order of execution
  uint64_t text;                   // of an exercise with `given`: RecipeValues.text
} Judging;

// ---- the failure ---------------------------------------------------------------------------------------------------

static char *values_text(const Judging *j) {
  LsText text = {0};
  exercise_print_values(j->exercise, &j->item.values, &text);
  return ls_text_take(&text);
}

// Advice that fits every kernel is nothing beside the exercise's own words; where a barrier goes is.
static bool is_general(const char *kind) {
  static const FaultKind kinds[] = {FAULT_OUT_OF_BOUNDS, FAULT_MISALIGNED, FAULT_BUDGET, FAULT_NEVER_WRITTEN,
                                    FAULT_EXITED_LANES};
  bool is = false;
  for (int i = 0; i < LS_COUNT(kinds); i++) is |= strcmp(kind, trace_fault_name(kinds[i])) == 0;
  return is;
}

// The exercise's own words for what the failure says.
static bool say(Judging *j, LsErr *err) {
  VerdictFailure *f = &j->verdict->failure;
  ExerciseTold told = {.how = verdict_how_name(f->how), .kind = f->kind, .message = f->message, .got = f->got,
                       .want = f->want, .value = f->value, .bound = f->bound, .index = f->element, .line = f->line,
                       .other_line = f->other_line, .unwritten = f->unwritten};
  LsText says = {0};
  bool ok = j->exercise->say(j->exercise, f->index < 0 ? NULL : &j->item.values, f->kind, &told, &says, err);
  if (ok && says.length) f->says = ls_text_take(&says);
  if (f->says && is_general(f->kind)) free(f->advice), f->advice = NULL;
  ls_text_free(&says);
  return ok;
}

static VerdictFailure *begin_failure(Judging *j, VerdictHow how, const char *kind) {
  Verdict *v = j->verdict;
  v->failed = true;
  v->failure = (VerdictFailure){.how = how, .kind = ls_strdup(kind), .index = j->index, .shown = j->item.shown,
                                .values = values_text(j), .order = j->order, .seed = j->request.seed, .element = -1,
                                .step = UINT64_MAX};
  return &v->failure;
}

// The run in which it shows, with its events.
static void keep_request(Judging *j, const JudgeFault *fault) {
  VerdictFailure *f = &j->verdict->failure;
  f->has_request = true;
  run_request_copy(&f->request, &j->request);
  run_request_set_code(&f->request, NULL);
  f->request.record = true;
  if (j->exercise->recipe->sequence) f->request.launch_number = fault && fault->launch ? fault->launch : 1;
  if (!fault || j->wish->fast) return;
  RunRequest again;
  run_request_copy(&again, &f->request);
  run_request_set_code(&again, j->request.code);
  JudgeRun run = {.run = run_new(&again, j->progress, NULL)};
  if (run.run) judge_run_find_step(&run, fault, &f->step);
  run_free(run.run);
  run_request_fini(&again);
}

static bool fail_by_fault(Judging *j, JudgeFault *fault, LsErr *err) {
  bool is_budget = fault->fault && fault->fault->kind == FAULT_BUDGET;
  VerdictFailure *f = begin_failure(j, is_budget ? VERDICT_BUDGET : VERDICT_FAULT, fault->kind);
  f->message = ls_strdup(fault->message);
  f->advice = fault->advice ? ls_strdup(fault->advice) : NULL;
  f->line = fault->line;
  f->other_line = fault->other_line;
  keep_request(j, fault);
  return say(j, err);
}

// "out[64] is 0.0, expected -208.0", as expect() says it.
static void take_element(VerdictFailure *f) {
  char buffer[64], got[64], want[64];
  long long element;
  if (sscanf(f->message, "%63[^[ ][%lld] is %63[^,], expected %63s", buffer, &element, got, want) != 4) return;
  f->buffer = ls_strdup(buffer);
  f->element = element;
  f->got = ls_strdup(got);
  f->want = ls_strdup(want);
}

// What an element holds that nobody wrote is of no meaning.
static void tell_unwritten(VerdictFailure *f) {
  f->unwritten = true;
  free(f->message);
  f->message = ls_format("%s[%lld] was never written, expected %s", f->buffer, (long long)f->element, f->want);
}

static bool fail_by_result(Judging *j, const JudgeRun *run, LsErr *err) {
  VerdictFailure *f = begin_failure(j, VERDICT_RESULT, "result");
  f->message = ls_strdup(run->verdict_text);
  take_element(f);
  if (f->buffer && judge_run_unwritten(run, f->buffer, (uint64_t)f->element, f->got)) tell_unwritten(f);
  keep_request(j, NULL);
  return say(j, err);
}

// "line 7: there is no stream s9", of host calls. 0: it is something else.
static int line_of_calls(const Judging *j, const LsErr *why, char **message) {
  int line = 0, used = 0;
  if (!j->exercise->given || sscanf(why->message, "line %d: %n", &line, &used) != 1 || !used) return 0;
  *message = ls_format("%s:%d: %s", ls_path_base(j->wish->path), line, why->message + used);
  return line;
}

// What the launch itself asks for cannot be: too much shared memory, an instruction that nobody knows. A slip of the
// exercise's own is none of the student's.
static bool fail_by_launch(Judging *j, const LsErr *why, LsErr *err) {
  if (why->kind == LS_ECANCEL || why->kind == LS_ENOMEM || why->kind == LS_EENV || ls_ends_with(why->file, ".lua")) {
    if (err) *err = *why;
    return false;
  }
  char *message = NULL;
  int line = line_of_calls(j, why, &message);
  VerdictFailure *f = begin_failure(j, line ? VERDICT_COMPILE : VERDICT_LAUNCH, line ? "compile" : "launch");
  f->message = message ? message : ls_strdup(why->message);
  f->line = line;
  return say(j, err);
}

// ---- limits --------------------------------------------------------------------------------------------------------

// Counters are whole numbers.
static int64_t bound_of(const RecipeLimit *limit) {
  return (int64_t)(limit->is_least ? ceil(limit->bound) : floor(limit->bound));
}

static void add_counter(Judging *j, const RecipeLimit *limit) {
  Verdict *v = j->verdict;
  VerdictCounter counter = {.index = j->index, .values = values_text(j), .what = ls_strdup(limit->what),
                            .value = (int64_t)limit->value, .bound = bound_of(limit),
                            .reference = INT64_MIN, .is_least = limit->is_least, .met = recipe_limit_holds(limit)};
  LS_PUSH(v->counters, v->counter_count, v->counter_capacity, counter);
}

static bool fail_by_limit(Judging *j, const RecipeLimit *limit, LsErr *err) {
  VerdictFailure *f = begin_failure(j, VERDICT_LIMIT, limit->what);
  f->value = (int64_t)limit->value;
  f->bound = bound_of(limit);
  f->message = ls_format("%s: %lld, at %s %lld.", limit->what, (long long)f->value,
                         limit->is_least ? "least" : "most", (long long)f->bound);
  keep_request(j, NULL);
  return say(j, err);
}

static bool is_first_counted(const Judging *j) { return !j->verdict->score; }

static bool hold_limits(Judging *j, const JudgeRun *run, LsErr *err) {
  const Exercise *e = j->exercise;
  RecipeLimits limits;
  const RecipeLimit *first = NULL;
  limits.count = 0;
  if (e->recipe->limits && !e->recipe->limits(e->recipe, &j->item.values, &run->counted, &limits, err)) return false;
  for (int i = 0; i < limits.count; i++) {
    add_counter(j, &limits.items[i]);
    if (!first && !j->verdict->counters[j->verdict->counter_count - 1].met) first = &limits.items[i];
  }
  if (first) return fail_by_limit(j, first, err);
  if (!e->score || !is_first_counted(j)) return true;
  j->verdict->score = e->score;
  return e->get_score(e, &run->counted, &j->verdict->score_value, err);
}

// ---- cases ---------------------------------------------------------------------------------------------------------

static bool judge_run(Judging *j, const JudgeRun *run, LsErr *err) {
  JudgeFault fault = {0};
  bool ok = true;
  if (judge_run_fault(run, j->exercise, &fault)) ok = fail_by_fault(j, &fault, err);
  else if (run->verdict == RUN_WRONG) ok = fail_by_result(j, run, err);
  else if (j->order == 0 && j->item.counts) ok = hold_limits(j, run, err);
  judge_fault_fini(&fault);
  return ok;
}

static bool judge_order(Judging *j, LsErr *err) {
  JudgeRun run;
  LsErr why = {0};
  j->request.seed = j->exercise->orders[j->order];
  j->request.values = j->item.values;
  j->request.values.filled = j->order == 1;
  bool ok = judge_run_make(&j->request, j->progress, &run, &why) ? judge_run(j, &run, err)
                                                                 : fail_by_launch(j, &why, err);
  judge_run_free(&run);
  return ok;
}

static void set_profile(Judging *j) {
  free(j->request.profile);
  j->request.profile = ls_strdup(j->item.profile ? j->item.profile : j->exercise->profile);
}

static bool judge_case(Judging *j, LsErr *err) {
  const Exercise *e = j->exercise;
  if (!e->get_case(e, j->verdict->seed, j->index, &j->item, err)) return false;
  j->item.values.text = j->text;
  set_profile(j);
  int orders = j->item.once ? 1 : e->order_count;
  for (j->order = 0; j->order < orders && !j->verdict->failed; j->order++)
    if (!judge_order(j, err)) return false;
  j->verdict->cases_passed += !j->verdict->failed;
  return true;
}

static void tell_progress(const Judging *j) {
  RunProgress *p = j->progress;
  if (!p) return;
  p->stage = "judging";
  p->permille = j->index * 1000 / LS_MAX(j->exercise->case_count, 1);
}

static bool judge_cases(Judging *j, LsErr *err) {
  for (j->index = 0; j->index < j->exercise->case_count && !j->verdict->failed; j->index++) {
    tell_progress(j);
    if (j->progress && j->progress->cancel) return ls_fail(err, LS_ECANCEL, "the judging was canceled");
    if (!judge_case(j, err)) return false;
  }
  return true;
}

// ---- the reference -------------------------------------------------------------------------------------------------

static void take_references(Verdict *v, int index, const RecipeLimits *limits) {
  for (int i = 0; i < v->counter_count; i++)
    for (int k = 0; k < limits->count && v->counters[i].index == index; k++)
      if (strcmp(v->counters[i].what, limits->items[k].what) == 0)
        v->counters[i].reference = (int64_t)limits->items[k].value;
}

static void count_reference(Judging *j, RunRequest *request) {
  const Exercise *e = j->exercise;
  JudgeRun run;
  RecipeLimits limits;
  request->values = j->item.values;
  request->values.text = j->text;
  request->seed = e->orders[0];
  if (judge_run_make(request, j->progress, &run, NULL) &&
      e->recipe->limits && e->recipe->limits(e->recipe, &j->item.values, &run.counted, &limits, NULL)) {
    take_references(j->verdict, j->index, &limits);
    if (j->verdict->score && j->verdict->score_reference == INT64_MIN)
      e->get_score(e, &run.counted, &j->verdict->score_reference, NULL);
  }
  judge_run_free(&run);
}

// What it counts in the cases in which the student's file was counted. Where it cannot be had nothing is said.
static void hold_against_reference(Judging *j) {
  char *path = exercise_file(j->exercise, "reference"), *text = judge_read(path, NULL);
  RunRequest request;
  if (text && judge_request(j->exercise, text, &request, &j->text, NULL)) {
    bool ok = run_request_compile(&request, j->progress, NULL);
    int last = -1;
    for (int i = 0; ok && i < j->verdict->counter_count; i++) {
      j->index = j->verdict->counters[i].index;
      if (j->index == last || !j->exercise->get_case(j->exercise, j->verdict->seed, j->index, &j->item, NULL)) continue;
      last = j->index;
      count_reference(j, &request);
    }
    run_request_fini(&request);
  }
  free(text);
  free(path);
}

// ---- the whole -----------------------------------------------------------------------------------------------------

// Of what is not right no counter is told.
static void forget_counters(Verdict *v) {
  for (int i = 0; i < v->counter_count; i++) free(v->counters[i].values), free(v->counters[i].what);
  v->counter_count = 0;
}

static bool judge(Judging *j, const char *text, LsErr *err) {
  Verdict *v = j->verdict;
  j->index = -1;
  if (!judge_code(j->exercise, j->wish->path, text, &j->request, j->progress, &v->failure, &v->failed, err))
    return false;
  if (v->failed ? !say(j, err) : !judge_cases(j, err)) return false;
  v->passed = !v->failed;
  if (v->failed) v->score = NULL;
  if (v->failed && v->failure.how != VERDICT_LIMIT) forget_counters(v);
  else if (!j->wish->alone) hold_against_reference(j);
  return true;
}

bool judge_file(const Exercise *exercise, const JudgeRequest *wish, RunProgress *progress, Verdict *verdict,
                LsErr *err) {
  Judging j = {.exercise = exercise, .wish = wish, .progress = progress, .verdict = verdict};
  *verdict = (Verdict){.exercise = exercise, .file = ls_strdup(wish->path), .seed = wish->seed,
                       .cases = exercise->case_count, .score_value = INT64_MIN, .score_reference = INT64_MIN,
                       .score_best = INT64_MIN};
  uint64_t start = ls_clock_ns();
  char *text = judge_read(wish->path, err);
  bool ok = text && judge_request(exercise, text, &j.request, &j.text, err);
  if (ok) {
    ok = judge(&j, text, err);
    run_request_fini(&j.request);
  }
  free(text);
  verdict->elapsed_ns = ls_clock_ns() - start;
  if (progress) verdict->compiled_ns = progress->compiled_ns;
  if (!ok) verdict_fini(verdict);
  return ok;
}

uint64_t judge_seed(void) {
  enum { FEW_DIGITS = 1000000 };     // to be typed again
  uint64_t words[2] = {ls_clock_ns(), (uint64_t)getpid()};
  return ls_hash64(words, sizeof words) % FEW_DIGITS;
}
