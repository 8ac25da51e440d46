// bench_waits.c: what somebody waits for until a lecture kernel is counted, or open: stage by stage.
//
//   bench_waits [--sizes lecture|timing|defaults] [--runs stats|explore|open|all] [--least SECONDS]
//               [--code compiled|written] [NAME[,PARAMETER=VALUE]...]...
//
// Of every recipe, or of those named: processor seconds of one thread in each stage of a run that counts (stats), and
// of one that records (explore), and of one that is opened as the explorer's page opens it, a large grid before all of
// it has run (open). What counts takes compiled code, and what records code as written, if --code does not say which.
// Times of the processor hardly depend on what else the machine does. Rows of less than --least seconds are left out.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/run/job.h"
#include "app/run/program_run.h"
#include "script/recipe.h"

enum { TICK_MS = 1, STAGES = 8 };
static const uint64_t COUNTING_BUDGET = 1ull << 32;   // as of lanescope stats
typedef enum Sizes { SIZES_DEFAULTS, SIZES_LECTURE, SIZES_TIMING, SIZES_COUNT } Sizes;
static const char *const size_names[SIZES_COUNT] = {"defaults", "lecture", "timing"};
typedef enum Runs { RUNS_STATS, RUNS_EXPLORE, RUNS_OPEN, RUNS_ALL, RUNS_COUNT } Runs;
static const char *const run_names[RUNS_COUNT] = {"stats", "explore", "open", "all"};
static const double OPENS_AFTER = 2.0;   // as page_run.c
static const char *const cut_names[] = {[DEV_COMPILED] = "compiled", [DEV_WRITTEN] = "written"};
typedef struct Wish { Sizes sizes; Runs runs; double least; bool cut_given; DevCut cut; } Wish;
typedef struct StageTime { const char *stage; double seconds; } StageTime;
typedef struct Times { StageTime stages[STAGES]; int count; double all; } Times;

static double processor_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void add(Times *times, const char *stage, double seconds) {
  int at = 0;
  while (at < times->count && strcmp(times->stages[at].stage, stage) != 0) at++;
  if (at == STAGES) return;
  if (at == times->count) times->stages[times->count++] = (StageTime){stage, 0};
  times->stages[at].seconds += seconds;
  times->all += seconds;
}

// The time between two looks belongs to the stage that the first one saw.
static bool time_job(const RunRequest *request, bool opens, Times *times, LsErr *err) {
  double before = processor_seconds(), begun = before;
  Job *job = job_start(request);
  for (bool done = false; !done;) {
    const char *stage = job_progress(job)->stage;
    done = job_wait(job, TICK_MS);
    double now = processor_seconds();
    add(times, stage, now - before);
    before = now;
    if (opens && now - begun >= OPENS_AFTER && job_progress(job)->may_keep) job_stop(job);
  }
  Run *run = job_take(job, err);
  run_free(run);
  return run != NULL;
}

static void print_row(const char *how, const char *name, const Times *times, const Wish *wish) {
  if (times->all < wish->least) return;
  printf("%8.3f  %-7s %-44s", times->all, how, name);
  for (int i = 0; i < times->count; i++) printf(" %s %.3f", times->stages[i].stage, times->stages[i].seconds);
  printf("\n");
  fflush(stdout);
}

static bool set_values(const Recipe *recipe, const Wish *wish, char *assignments, RecipeValues *values, LsErr *err) {
  const RecipeForm *form = recipe_form(recipe, values);
  if (wish->sizes == SIZES_LECTURE && form->lecture.given) *values = form->lecture.values;
  if (wish->sizes == SIZES_TIMING && form->timing.given) *values = form->timing.values;
  for (char *next = strtok(assignments, ","); next; next = strtok(NULL, ","))
    if (!recipe_set(recipe, values, next, err)) return false;
  return true;
}

static void time_one(const RunRequest *request, const char *name, const Wish *wish, Runs runs) {
  RunRequest one;
  LsErr err = {0};
  Times times = {0};
  if (wish->runs != runs && wish->runs != RUNS_ALL) return;
  run_request_copy(&one, request);
  one.record = runs != RUNS_STATS;
  if (!one.record) one.budget = COUNTING_BUDGET;
  one.cut = one.record ? DEV_WRITTEN : DEV_COMPILED;
  one.cut_given = wish->cut_given;
  if (one.cut_given) one.cut = wish->cut;
  run_request_use_cut(&one);
  if (time_job(&one, runs == RUNS_OPEN, &times, &err)) print_row(run_names[runs], name, &times, wish);
  else printf("%s: %s\n", name, err.message);
  run_request_fini(&one);
}

static void time_recipe(RecipeBook *book, const char *what, const Wish *wish) {
  LsErr err = {0};
  RunRequest request;
  char *name = ls_strdup(what), *assignments = name + strcspn(name, ",");
  if (*assignments) *assignments++ = 0;
  run_request_init(&request);
  request.what = ls_strdup(name);
  request.recipe = book->get(book, name, &err);
  request.threads = 1;
  if (request.recipe) recipe_defaults(request.recipe, &request.values);
  if (!request.recipe || !set_values(request.recipe, wish, assignments, &request.values, &err)) {
    printf("%s: %s\n", what, err.message);
  } else {
    for (Runs runs = RUNS_STATS; runs < RUNS_ALL; runs++) time_one(&request, what, wish, runs);
  }
  run_request_fini(&request);
  free(name);
}

static int read_options(int argc, char **argv, Wish *wish) {
  int at = 1;
  for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
    if (strcmp(argv[at], "--least") == 0) wish->least = atof(argv[at + 1]);
    for (int i = 0; i < SIZES_COUNT; i++)
      if (strcmp(argv[at + 1], size_names[i]) == 0) wish->sizes = (Sizes)i;
    for (int i = 0; i < RUNS_COUNT; i++)
      if (strcmp(argv[at + 1], run_names[i]) == 0) wish->runs = (Runs)i;
    if (strcmp(argv[at], "--code") == 0) {
      wish->cut_given = true;
      wish->cut = strcmp(argv[at + 1], cut_names[DEV_WRITTEN]) == 0 ? DEV_WRITTEN : DEV_COMPILED;
    }
  }
  return at;
}

int main(int argc, char **argv) {
  Wish wish = {.sizes = SIZES_LECTURE, .runs = RUNS_ALL};
  LsErr err = {0};
  int first = read_options(argc, argv, &wish);
  RecipeBook *book = recipe_book_open(NULL, &err);
  if (!book) {
    fprintf(stderr, "bench_waits: %s\n", err.message);
    return 1;
  }
  for (int i = first; i < argc; i++) time_recipe(book, argv[i], &wish);
  for (int i = 0; first == argc && i < book->kernels(book); i++) time_recipe(book, book->name(book, i), &wish);
  book->free(book);
  return 0;
}
