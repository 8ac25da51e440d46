// recipes.c: makes a batch of launches of each lecture kernel: at its defaults and with every parameter moved.
#include "recipes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/mem.h"

enum { PTX_LIMIT = 64 << 20 };

// Moves every parameter but the form `steps` places along its slider: up for even ones, down for odd ones.
static void vary(const Recipe *recipe, RecipeValues *values, int steps) {
  for (int i = recipe_has_forms(recipe); i < recipe->param_count; i++)
    for (int k = 0; k < steps; k++)
      values->value[i] = recipe_step_value(&recipe->params[i], values->value[i], (i + steps) % 2 ? -1 : 1);
}

static char *read_ptx(const Recipe *recipe, bool written, size_t *length, LsErr *err) {
  char *stem = ls_path_with_suffix(recipe->forms[0].source, written ? ".g.ptx" : ".ptx");
  char *relative = ls_path_join("assets/ptx", stem), *path = ls_data_path(relative, err);
  char *text = path ? ls_file_read(path, PTX_LIMIT, length, err) : NULL;
  free(stem);
  free(relative);
  free(path);
  return text;
}

// A combination that the recipe itself refuses is left out.
static void add_launch(Batch *batch, const Recipe *recipe, bool written, const RecipeValues *values, LsErr *err) {
  Launch launch;
  LsText text = {0};
  if (!recipe->launch(recipe, values, &launch, err)) return;
  Program *program = batch_begin(batch, launch.kernel ? launch.kernel : recipe->name);
  recipe_print_values(recipe, values, &text);
  snprintf(program->name, sizeof program->name, "recipe %s, %s, %s", recipe->name,
           written ? "as written" : "as compiled",
           ls_text_str(&text));
  launch_fini(&program->launch);
  program->launch = launch;
  if (strstr(ls_text_str(&batch->ptx), "%envreg")) program->launch.together = LAUNCH_COOPERATIVE;   // grid.sync()
  program->begin = 0;
  batch_end(batch);
  ls_text_free(&text);
}

bool recipes_batch(Batch *batch, const Recipe *recipe, bool written, LsErr *err) {
  size_t length = 0;
  char *text = read_ptx(recipe, written, &length, err);
  *batch = (Batch){0};
  if (!text) return false;
  ls_text_addn(&batch->ptx, text, length);
  free(text);
  for (int variant = 0; variant < RECIPE_VARIANTS; variant++) {
    RecipeValues values;
    recipe_defaults(recipe, &values);
    vary(recipe, &values, variant);
    add_launch(batch, recipe, written, &values, err);
  }
  return batch->count > 0;
}
