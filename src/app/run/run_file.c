// run_file.c: where the files of a recipe are.
#include <stdlib.h>

#include "app/run/run_parts.h"
#include "base/file.h"

char *run_recipe_file(const Recipe *recipe, const char *folder, const char *name, LsErr *err) {
  if (recipe->folder) return ls_path_join(recipe->folder, name);
  char *relative = ls_path_join(folder, name), *path = ls_data_path(relative, err);
  free(relative);
  return path;
}
