// make_fake_gpu.c: writes the trace that a GPU might have left of a lecture kernel: for looking at screens, and for scripts.
//
//   tests/make_fake_gpu NAME "N=1024 threads=256" compiled|written FILE [BLOCKS]
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "fake_gpu.h"
#include "script/recipe.h"

int main(int argc, char **argv) {
  if (argc < 5) return fprintf(stderr, "usage: make_fake_gpu NAME VALUES compiled|written FILE [BLOCKS]\n"), 2;
  LsErr err = {0};
  RecipeBook *book = recipe_book_open(NULL, &err);
  RunRequest request;
  DevCut cut = strcmp(argv[3], "written") == 0 ? DEV_WRITTEN : DEV_COMPILED;
  bool ok = book && fake_gpu_request(book, argv[1], argv[2], cut, &request, &err);
  if (ok && argc > 5) request.blocks = ls_strdup(argv[5]);
  ok = ok && fake_gpu_trace(&request, &(FakeGpu){0}, argv[4], NULL, NULL, &err);
  if (!ok) fprintf(stderr, "make_fake_gpu: %s\n", err.message);
  if (book) run_request_fini(&request), book->free(book);
  return ok ? 0 : 1;
}
