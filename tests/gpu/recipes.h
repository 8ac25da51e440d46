// recipes.h: the lecture kernels of kernels/ as shipped, in both cuts.
#ifndef LS_TESTS_GPU_RECIPES_H
#define LS_TESTS_GPU_RECIPES_H

#include "app/run/recipe.h"
#include "batch.h"

enum { RECIPE_VARIANTS = 3 };   // the defaults, and two other sets of parameters

// A batch of the shipped PTX of one recipe and its launches. written: the cut that keeps every source variable.
bool recipes_batch(Batch *batch, const Recipe *recipe, bool written, LsErr *err);

#endif
