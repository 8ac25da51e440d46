// test_gpu_run.c: runs that a GPU made (here made up by fake_gpu.c), opened, counted, shown.
#include <unistd.h>

#include "app/session.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "fake_gpu.h"
#include "script/recipe.h"

static RecipeBook *book;

static char *temporary(void) {
  char *path = ls_strdup("test_gpu_run_XXXXXX");
  close(mkstemp(path));
  return path;
}

static Run *open_fake(const char *name, const char *values, DevCut cut, const FakeGpu *fake, const char *blocks) {
  LsErr err = {0};
  RunRequest request;
  char *path = temporary();
  bool ok = fake_gpu_request(book, name, values, cut, &request, &err);
  request.blocks = blocks ? ls_strdup(blocks) : NULL;
  ok = ok && fake_gpu_trace(&request, fake, path, NULL, NULL, &err);
  Run *run = ok ? run_open(path, &err) : NULL;
  if (!run) printf("\n%s: %s\n", name, err.message);
  CHECK(run != NULL);
  run_request_fini(&request);
  unlink(path);
  free(path);
  return run;
}

static Run *run_emulator(const char *name, const char *values, DevCut cut) {
  LsErr err = {0};
  RunRequest request;
  CHECK(fake_gpu_request(book, name, values, cut, &request, &err));
  request.record = false;
  Run *run = run_new(&request, NULL, &err);
  CHECK(run != NULL);
  run_request_fini(&request);
  return run;
}

// ---- counters ------------------------------------------------------------------------------------------------------

static void same_counters(const char *name, DevCut cut) {
  Run *gpu = open_fake(name, "", cut, &(FakeGpu){0}, "0"), *emulator = run_emulator(name, "", cut);
  const CounterSet *a = counters_total(gpu->counters), *b = counters_total(emulator->counters);
  for (int i = 0; i < COUNTER_COUNT; i++) {
    if (a->value[i] != b->value[i]) printf("\n%s: %s: %llu, not %llu\n", name, counter_def((CounterId)i)->name, (unsigned long long)a->value[i], (unsigned long long)b->value[i]);
    CHECK(a->value[i] == b->value[i]);
  }
  for (int pc = 0; pc < gpu->module->code_count; pc++)
    CHECK(memcmp(counters_at(gpu->counters, pc), counters_at(emulator->counters, pc), sizeof(CounterSet)) == 0);
  run_free(gpu);
  run_free(emulator);
}

// What the device counted over the whole grid stands for every access of it, although one block alone is recorded.
static void counts_are_the_whole_grid(void) {
  for (int i = 0; i < book->count(book); i++) {
    same_counters(book->name(book, i), DEV_COMPILED);
    if (i % 4 == 0) same_counters(book->name(book, i), DEV_WRITTEN);
  }
}

static const Check checks[] = {
    {"counts are of the whole grid", counts_are_the_whole_grid},
};

int main(int argc, char **argv) {
  LsErr err = {0};
  book = recipe_book_open(NULL, &err);
  if (!book) return fprintf(stderr, "%s\n", err.message), 99;
  int status = check_main("gpu_run", checks, LS_COUNT(checks), argc, argv);
  book->free(book);
  return status;
}
