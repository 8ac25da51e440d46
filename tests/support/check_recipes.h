// check_recipes.h: a test program over the lecture kernels of the source tree.
#ifndef LS_TESTS_CHECK_RECIPES_H
#define LS_TESTS_CHECK_RECIPES_H

#include "app/run/run.h"
#include "check.h"
#include "script/recipe.h"

// The kinds of faults of a run that its recipe does not expect, or those that it expects where there is none: bits of
// 1 << FaultKind. Which of several kinds is found depends on the order.
static inline uint64_t unexpected_faults(const Recipe *recipe, const Run *run) {
  uint64_t kinds = 0, expected = recipe_form(recipe, &run->request.values)->expect.faults;
  for (int i = 0; i < run->fault_count; i++) kinds |= 1ull << run->faults[i].kind;
  return kinds ? kinds & ~expected : expected;
}

// check_main() with the book of recipes open in *book meanwhile.
static inline int check_main_with_recipes(const char *name, const Check *checks, int count, int argc, char **argv,
                                          RecipeBook **book) {
  LsErr err = {0};
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  *book = recipe_book_open(NULL, &err);
  if (!*book) {
    fprintf(stderr, "%s\n", err.message);
    return 99;
  }
  int status = check_main(name, checks, count, argc, argv);
  (*book)->free(*book);
  return status;
}

#endif
