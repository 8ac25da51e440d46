// models.c: finds models in their table.
#include "app/models/models.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

#define MODEL(name) extern const Model model_##name;
#include "app/models/models.def"

static const Model *const table[] = {
#define MODEL(name) &model_##name,
#include "app/models/models.def"
};

const Model *model_at(int index) { return index >= 0 && index < LS_COUNT(table) ? table[index] : NULL; }

const Model *model_named(const char *name) {
  for (int i = 0; i < LS_COUNT(table); i++)
    if (strcmp(table[i]->recipe.name, name) == 0) return table[i];
  return NULL;
}

const Model *model_find(const char *name, LsErr *err) {
  const Model *found = model_named(name);
  if (found) return found;
  ls_fail(err, LS_EREQUEST, "there is no model '%s'; there are ", LS_QUOTE(name));
  for (int i = 0; err && i < LS_COUNT(table); i++) {
    size_t used = strlen(err->message);
    snprintf(err->message + used, sizeof err->message - used, "%s%s", i ? ", " : "", table[i]->recipe.name);
  }
  return NULL;
}
