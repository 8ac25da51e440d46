// recipe_run.h: a lecture kernel run on the emulator, for tests of what is shown of it.
#ifndef LS_TESTS_RECIPE_RUN_H
#define LS_TESTS_RECIPE_RUN_H

#include <stdio.h>
#include <stdlib.h>

#include "app/run/run.h"
#include "script/recipe.h"

static RecipeBook *book;   // made at first use; freed by the test

// assignment: of one parameter, or NULL. NULL, with the message printed: there is no such run.
static Run *run_recipe(const char *name, const char *assignment, SimSched sched, DevCut cut) {
  LsErr err = {0};
  RunRequest request;
  if (!book) book = recipe_book_open(LS_SOURCE_DIR "/kernels", &err);
  run_request_init(&request);
  request.what = ls_strdup(name);
  request.recipe = book ? book->get(book, name, &err) : NULL;
  free(request.device);
  request.device = ls_strdup("emu");
  request.sched = sched;
  request.cut = cut;
  request.cut_given = true;
  Run *run = NULL;
  if (request.recipe) {
    recipe_defaults(request.recipe, &request.values);
    if (!assignment || recipe_set(request.recipe, &request.values, assignment, &err)) run = run_new(&request, NULL, &err);
  }
  if (!run) printf("\n%s: %s\n", name, err.message);
  run_request_fini(&request);
  return run;
}

#endif
