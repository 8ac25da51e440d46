// recipe.h: recipes from Lua. The format is kernels/README.md; the structure they become is app/run/recipe.h.
#ifndef LS_SCRIPT_RECIPE_H
#define LS_SCRIPT_RECIPE_H

#include "app/run/recipe.h"

// The recipes of a folder (NULL: lanescope's own kernels). Listing reads the folder, a recipe is loaded when asked for.
// launch and check of one recipe may be called from any thread; calls of the same recipe wait for each other.
RecipeBook *recipe_book_open(const char *folder, LsErr *err);

#endif
