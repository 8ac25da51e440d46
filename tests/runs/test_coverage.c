// test_coverage.c: how much of its result a kernel is said to have written, and which of that is told as a warning.
//
// The kernels are tests/runs/coverage/coverage.cu; assets/make-ptx tests/runs/coverage tests/runs/coverage makes its PTX.
// The numbers were counted by hand.
#include <string.h>
#include <unistd.h>

#include "app/run/run.h"
#include "base/mem.h"
#include "check.h"
#include "script/recipe.h"

enum { MOST_ARGS = 3 };
typedef struct Job {
  const char *kernel;
  uint32_t grid, block;
  const char *args[MOST_ARGS];
  int arg;                           // that is looked at
  uint64_t elements, never, first_never, between, twice, first_twice;
  int flaw;                          // FaultKind of the warning, -1: none
} Job;

enum { FINE = -1, NEVER = FAULT_NEVER_WRITTEN, TWICE = FAULT_WRITTEN_TWICE };
static const Job jobs[] = {
    {"map", 4, 256, {"f32[1000]=none", "i32=1000"}, 0, 1000, 0, 0, 0, 0, 0, FINE},
    {"map", 4, 256, {"f32[1000]=none", "i32=3"}, 0, 1000, 997, 3, 0, 0, 0, FINE},     // n is smaller: numbers only
    {"map", 3, 256, {"f32[1000]=none", "i32=1000"}, 0, 1000, 232, 768, 0, 0, 0, NEVER},   // a block too few
    {"map", 1, 256, {"f32[1000]=none", "i32=1000"}, 0, 1000, 744, 256, 0, 0, 0, FINE},    // more than a block is left
    {"map", 3, 100, {"f32[333]=none", "i32=333"}, 0, 333, 33, 300, 0, 0, 0, NEVER},
    {"map", 1, 1, {"f32[1]=none", "i32=1"}, 0, 1, 0, 0, 0, 0, 0, FINE},
    {"no_guard", 4, 64, {"f32[256]=none"}, 0, 256, 0, 0, 0, 0, 0, FINE},
    {"no_block", 4, 64, {"f32[256]=none"}, 0, 256, 192, 64, 0, 64, 0, TWICE},
    {"no_block", 40, 40, {"f32[256]=zero>/dev/null"}, 0, 256, 216, 40, 0, 40, 0, TWICE},
    {"inner", 4, 64, {"f32[256]=none"}, 0, 256, 8, 0, 6, 0, 0, NEVER},
    {"inner", 4, 64, {"f32[256]=zero>/dev/null"}, 0, 256, 8, 0, 6, 0, 0, FINE},           // it had contents there
    {"scatter", 2, 32, {"f32[256]=none"}, 0, 256, 192, 1, 126, 0, 0, FINE},
    {"halo", 8, 33, {"f32[257]=none"}, 0, 257, 0, 0, 0, 7, 32, FINE},
    {"nothing", 1, 32, {"f32[64]=none", "i32=0"}, 0, 64, 64, 0, 0, 0, 0, NEVER},
    {"nothing", 1, 32, {"f32[64]=zero>/dev/null", "i32=0"}, 0, 64, 64, 0, 0, 0, 0, FINE},
    {"count", 300, 64, {"u32[8]=zero>/dev/null"}, 0, 8, 0, 0, 0, 0, 0, FINE},          // atomics meet there
    {"found", 40, 32, {"i32[1]=zero>/dev/null"}, 0, 1, 0, 0, 0, 1, 0, FINE},           // a single element
    {"four", 2, 64, {"f32[600]=none"}, 0, 600, 88, 512, 0, 0, 0, FINE},
    {"bytes", 3, 50, {"u32[40]=none"}, 0, 40, 2, 38, 0, 1, 12, FINE},                     // bytes 48 and 49 of block 0, 50 and 51 of block 1
    {"total", 9, 64, {"f32[9]=none", "f32[1]=none", "u32[1]=zero"}, 1, 1, 0, 0, 0, 0, 0, FINE},
    {"total", 9, 64, {"f32[9]=none", "f32[1]=none", "u32[1]=zero"}, 0, 9, 0, 0, 0, 0, 0, FINE},
};

// ---- runs ----------------------------------------------------------------------------------------------------------

static void request_of(const Job *job, DevCut cut, RunRequest *request) {
  LsErr err = {0};
  run_request_init(request);
  request->cut = cut;
  request->what = ls_strdup(cut == DEV_WRITTEN ? LS_SOURCE_DIR "/tests/runs/coverage/coverage.g.ptx"
                                               : LS_SOURCE_DIR "/tests/runs/coverage/coverage.ptx");
  request->launch.kernel = ls_strdup(job->kernel);
  request->launch.grid[0] = job->grid;
  request->launch.block[0] = job->block;
  for (int i = 0; i < MOST_ARGS && job->args[i]; i++) CHECK(launch_add_arg(&request->launch, job->args[i], &err));
  free(request->device);
  request->device = ls_strdup("emu");
  request->cut_given = true;
}

static Run *run_job(const Job *job, DevCut cut, int threads, uint64_t seed, const char *path) {
  LsErr err = {0};
  RunRequest request;
  request_of(job, cut, &request);
  request.threads = (uint64_t)threads;
  request.seed = seed;
  request.record = path != NULL;
  Run *run = path ? run_new_to_file(&request, path, NULL, &err) : run_new(&request, NULL, &err);
  if (!run) printf("\n%s: %s\n", job->kernel, err.message);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  run_request_fini(&request);
  return run;
}

// ---- what is said --------------------------------------------------------------------------------------------------

static const TraceCoverage *row_of(Run *run, int arg) {
  int count;
  const TraceCoverage *rows = run_coverage(run, &count), *found = NULL;
  for (int i = 0; rows && i < count; i++) if (rows[i].arg == arg) found = &rows[i];
  return found;
}

static const TraceFault *flaw_of(const Run *run) {
  for (int i = 0; i < run->fault_count; i++)
    if (run->faults[i].kind == FAULT_NEVER_WRITTEN || run->faults[i].kind == FAULT_WRITTEN_TWICE) return &run->faults[i];
  return NULL;
}

static void check_row(const Job *job, const TraceCoverage *row) {
  CU_ASSERT_PTR_NOT_NULL_FATAL(row);
  CHECK_INT(row->elements, job->elements);
  CHECK_INT(row->never_written, job->never);
  if (job->never) CHECK_INT(row->first_never, job->first_never);
  CHECK_INT(row->holes, job->between);
  CHECK(row->known_twice);
  CHECK_INT(row->written_twice, job->twice);
  if (job->twice) CHECK_INT(row->first_twice, job->first_twice);
  if (job->twice) CHECK(row->blocks[0] != row->blocks[1]);
}

static void check_run(const Job *job, Run *run) {
  const TraceFault *flaw = flaw_of(run);
  check_row(job, row_of(run, job->arg));
  CHECK_INT(flaw ? flaw->kind : FINE, job->flaw);
  if (flaw) CHECK(flaw->message && flaw->object >= 0 && run->info.objects[flaw->object].arg == job->arg);
}

static void kernels_are_told(void) {
  for (int i = 0; i < LS_COUNT(jobs); i++)
    for (int k = 0; k < 8; k++) {
      Run *run = run_job(&jobs[i], (DevCut)(k % 2), 1 + k / 2 % 2, (uint64_t)(k / 4 * 3), NULL);
      check_run(&jobs[i], run);
      run_free(run);
    }
}

// ---- traces --------------------------------------------------------------------------------------------------------

static void check_fold(const Job *job, Run *run) {
  CoverageOf of = {.module = run->module, .info = &run->info};
  TraceCoverage *items;
  int count, found = 0;
  const TraceCoverage *row = row_of(run, job->arg);
  CU_ASSERT_FATAL(coverage_fold(&of, run->trace, &items, &count));
  for (int i = 0; i < count; i++) {
    if (items[i].arg != row->arg) continue;
    check_row(job, &items[i]);
    found++;
  }
  CHECK_INT(found, 1);
  free(items);
}

// The trace tells it, and its events say the same.
static void traces_tell_it(void) {
  char folder[200], path[256];
  CHECK(check_folder(folder, sizeof folder));
  snprintf(path, sizeof path, "%s/a.lst", folder);
  for (int i = 0; i < LS_COUNT(jobs); i++) {
    LsErr err = {0};
    Run *run = run_job(&jobs[i], DEV_COMPILED, 1, 0, path), *opened = run_open(path, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(opened);
    check_run(&jobs[i], run);
    check_run(&jobs[i], opened);
    check_fold(&jobs[i], opened);
    CHECK_INT(opened->fault_count, run->fault_count);
    run_free(opened);
    run_free(run);
  }
  unlink(path);
  rmdir(folder);
}

// A race between the blocks says it already; what stopped has no result.
static void faults_come_first(void) {
  Job race = jobs[7], beyond = jobs[6];
  beyond.args[0] = "f32[250]=none";
  Run *run = run_job(&race, DEV_COMPILED, 1, 0, NULL);
  CHECK_INT(run->fault_count, 1);             // the same is stored: no race
  run_free(run);
  run = run_job(&beyond, DEV_COMPILED, 1, 0, NULL);
  CHECK_INT(run->fault_count, 1);
  CHECK_INT(run->faults[0].kind, FAULT_OUT_OF_BOUNDS);
  run_free(run);
}

static void nobody_looks_without_the_check(void) {
  LsErr err = {0};
  RunRequest request;
  request_of(&jobs[0], DEV_COMPILED, &request);
  request.checks = 0;
  request.record = false;
  Run *run = run_new(&request, NULL, &err);
  int count;
  LsText why = {0};
  CHECK(run_coverage(run, &count) == NULL);
  run_coverage_unknown(run, &why);
  CHECK(strstr(ls_text_str(&why), "not known") != NULL);
  ls_text_free(&why);
  run_free(run);
  run_request_fini(&request);
}

// Recipes are right, so none of them has a warning.
static void recipes_have_no_warning(void) {
  LsErr err = {0};
  RecipeBook *book = recipe_book_open(NULL, &err);
  for (int i = 0; i < 2 * book->kernels(book); i++) {
    RunRequest request;
    run_request_init(&request);
    request.what = ls_strdup(book->name(book, i / 2));
    request.recipe = book->get(book, request.what, &err);
    request.cut = (DevCut)(i % 2);
    free(request.device);
    request.device = ls_strdup("emu");
    recipe_defaults(request.recipe, &request.values);
    Run *run = run_new(&request, NULL, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run);
    int count;
    CHECK(run_coverage(run, &count) != NULL && count > 0);
    if (flaw_of(run)) printf("\n%s: %s\n", request.what, flaw_of(run)->message);
    CHECK(flaw_of(run) == NULL);
    run_free(run);
    run_request_fini(&request);
  }
  book->free(book);
}

static const Check checks[] = {
    {"kernels are told", kernels_are_told},
    {"traces tell it", traces_tell_it},
    {"faults come first", faults_come_first},
    {"nobody looks without the check", nobody_looks_without_the_check},
    {"recipes have no warning", recipes_have_no_warning},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  return check_main("coverage of results", checks, LS_COUNT(checks), argc, argv);
}
