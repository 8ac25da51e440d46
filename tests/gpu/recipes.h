// recipes.h: the lecture kernels of kernels/ as shipped, in both cuts.
#ifndef LS_TESTS_GPU_RECIPES_H
#define LS_TESTS_GPU_RECIPES_H

#include <string.h>

#include "app/run/recipe.h"
#include "batch.h"

enum { RECIPE_VARIANTS = 3 };   // the defaults, and two other sets of parameters

// A batch of the shipped PTX of one recipe and its launches. written: the cut that keeps every source variable.
bool recipes_batch(Batch *batch, const Recipe *recipe, bool written, LsErr *err);

// Who of a warp goes first is the machine's choice, and what is counted comes of it: how often half of a warp looks at
// a flag before the other half sets it, or a block at the grid's barrier; who is together inside an if, or behind loops
// that lanes leave at different times; who draws which ticket, whose store stays, and who finds a maximum raised
// already. Such runs are not held against the emulator's.
static inline bool recipe_takes_turns(const Recipe *recipe) {
  static const char *const names[] = {"warp_meeting", "cg_coalesced", "cas_semantics", "workqueue", "keep_even",
                                      "write_winner", "race_basic", "global_max_regions", "grid_reverse", "ten_nn",
                                      "diverge_example"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(recipe->name, names[i]) == 0) return true;
  return false;
}

#endif
