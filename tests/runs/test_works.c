// test_works.c: the launches that are measured on a GPU are those of the recipes: the kernel, its sizes, no fault.
#include <string.h>

#include "app/run/recipe.h"
#include "check_recipes.h"
#include "gpu/works.h"

static RecipeBook *book;

static const Recipe *recipe_of(const Work *work, LsErr *err) {
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(work->name, ","), work->name);
  return book->get(book, name, err);
}

// A parameter chooses the instance of a template: that of the defaults would not fit these blocks.
static void works_for_timing_have_the_kernel_of_their_sizes(void) {
  Works works = {0};
  LsErr err = {0};
  CHECK(works_add_timed_recipes(&works, &err));
  for (int i = 0; i < works.count; i++) {
    const Work *work = &works.items[i];
    const Recipe *recipe = recipe_of(work, &err);
    RecipeValues values = recipe->timing.values;
    Launch launch;
    CHECK(recipe->launch(recipe, &values, &launch, &err));
    CHECK_INT(work->entry, ptx_find_entry(work->module, launch.kernel, &err));
    CHECK_INT(work->launch.grid[0], launch.grid[0]);
    launch_fini(&launch);
  }
  CHECK(works.count > 40);
  works_fini(&works);
}

static const Check checks[] = {
    {"works for timing have the kernel of their sizes", works_for_timing_have_the_kernel_of_their_sizes},
};

int main(int argc, char **argv) { return check_main_with_recipes("works", checks, LS_COUNT(checks), argc, argv, &book); }
