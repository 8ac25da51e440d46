// bench_program.c: programs of many launches: how long all of it takes, how soon a launch is open, how big a trace of it
// is.
//
//   bench_program [FOLDER]     FOLDER: where state.lua is, the program of launches of one small kernel
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/program_run.h"
#include "app/run/program_saved.h"
#include "app/run/program_snapshots.h"
#include "base/clock.h"
#include "base/mem.h"
#include "script/recipe.h"

enum { TRIES = 5, LAUNCHES = 10000, FEWER = 1000 };

static void die(const char *what, const LsErr *err) {
  fprintf(stderr, "bench_program: %s: %s\n", what, err->message);
  exit(1);
}

static void request_of(RecipeBook *book, int launches, RunRequest *request) {
  char value[32];
  LsErr err = {0};
  run_request_init(request);
  request->what = ls_strdup("state");
  request->recipe = book->get(book, "state", &err);
  if (!request->recipe) die("state", &err);
  request->cut = DEV_COMPILED;
  request->budget = 1ull << 32;
  recipe_defaults(request->recipe, &request->values);
  snprintf(value, sizeof value, "launches=%d", launches - 2);   // two launches of another kernel come behind them
  if (!recipe_set(request->recipe, &request->values, value, &err)) die(value, &err);
}

static double seconds_of(uint64_t start) { return (double)(ls_clock_ns() - start) * 1e-9; }

static void bench_whole(RecipeBook *book) {
  LsErr err = {0};
  RunRequest request;
  double plain = 1e9, kept = 1e9;
  uint64_t bytes = 0;
  request_of(book, LAUNCHES, &request);
  request.record = false;
  for (int i = 0; i < TRIES; i++) {
    uint64_t start = ls_clock_ns();
    ProgramRun *run = program_run_new(&request, NULL, &err);
    if (!run) die("state", &err);
    plain = LS_MIN(plain, seconds_of(start));
    program_run_close(run);
    start = ls_clock_ns();
    run = program_run_keep(&request, 0, NULL, &err);
    if (!run) die("state", &err);
    kept = LS_MIN(kept, seconds_of(start));
    bytes = program_snapshots_bytes(run->snapshots);
    program_run_close(run);
  }
  printf("%d launches: %.2f s; with memory kept and findings as in the explorer %.2f s, %.1f MB\n", LAUNCHES, plain,
         kept, (double)bytes / 1e6);
  run_request_fini(&request);
}

static void bench_launch(RecipeBook *book) {
  LsErr err = {0};
  RunRequest request;
  request_of(book, FEWER, &request);
  Run *first = run_new(&request, NULL, &err);
  if (!first) die("state", &err);
  double worst = 0, sum = 0;
  int opened = 0;
  for (int number = 1; number <= FEWER; number += 37, opened++) {
    RunRequest one;
    run_request_copy(&one, &request);
    run_request_set_whole(&one, &first->whole->shared);
    one.launch_number = number;
    uint64_t start = ls_clock_ns();
    Run *run = run_new(&one, NULL, &err);
    if (!run) die("launch", &err);
    run_findings(run);
    double took = seconds_of(start) * 1e3;
    worst = LS_MAX(worst, took);
    sum += took;
    run_free(run);
    run_request_fini(&one);
  }
  TraceBytes bytes = {0};
  program_saved_put(&bytes, first->whole);
  printf("of %d launches one is open in %.2f ms on average, %.2f ms at worst; a trace tells of them all in %zu bytes\n",
         FEWER, sum / opened, worst, bytes.size);
  free(bytes.data);
  run_free(first);
  run_request_fini(&request);
}

int main(int argc, char **argv) {
  LsErr err = {0};
  RecipeBook *book = recipe_book_open(argc > 1 ? argv[1] : "tests/runs/programs", &err);
  if (!book) die("programs", &err);
  bench_whole(book);
  bench_launch(book);
  book->free(book);
  return 0;
}
