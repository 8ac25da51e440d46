// lesson_want.c: the run that a lesson asks for, as a request.
#include "app/course/lesson_want.h"

#include <stdlib.h>
#include <string.h>

static bool is(const char *word, const char *expected) { return word && strcmp(word, expected) == 0; }

static bool set_all(const LessonWant *want, const Recipe *recipe, RecipeValues *values, LsErr *err) {
  for (int i = 0; i < want->value_count; i++)
    if (!recipe_set(recipe, values, want->values[i], err)) return false;
  return true;
}

// The sizes are those of the form that the values name; what is given besides counts more.
static bool set_values(const LessonWant *want, const Recipe *recipe, RecipeValues *values, LsErr *err) {
  recipe_defaults(recipe, values);
  if (!set_all(want, recipe, values, err)) return false;
  if (!want->sizes) return true;
  const RecipeForm *form = recipe_form(recipe, values);
  const RecipeSizes *sizes = is(want->sizes, "timing") ? &form->timing : &form->lecture;
  if (!sizes->given) return ls_fail(err, LS_EREQUEST, "%s has no sizes for '%s'", recipe->name, want->sizes);
  *values = sizes->values;
  return set_all(want, recipe, values, err);
}

static void replace(char **text, const char *with) {
  free(*text);
  *text = ls_strdup(with);
}

// What a recording was made as counts: a cut that nobody names is that of the recording.
static void set_how(const LessonWant *want, RunRequest *request) {
  bool recorded = is(want->device, "recorded");
  replace(&request->device, want->device ? want->device : "emu");
  if (want->profile) replace(&request->profile, want->profile);
  request->cut = is(want->cut, "compiled") ? DEV_COMPILED : DEV_WRITTEN;
  if (!want->cut) run_request_use_cut(request);
  request->cut_given = want->cut || !recorded;
  request->sched = is(want->sched, "stack") ? SIM_STACK : SIM_ITS;
  request->order_given = want->order != NULL;
  request->order = is(want->order, "whole") ? SIM_WHOLE : SIM_TURNS;
  request->seed = want->seed;
  if (want->order_of) replace(&request->order_of, want->order_of);
  request->launch_number = want->launch;
}

bool lesson_want_request(const LessonWant *want, RecipeBook *book, RunRequest *request, LsErr *err) {
  run_request_init(request);
  const Recipe *recipe = book->get(book, want->kernel, err);
  if (!recipe) return false;
  request->what = ls_strdup(recipe->name);
  request->recipe = recipe;
  if (!set_values(want, recipe, &request->values, err)) return false;
  if (want->profile && !arch_find(want->profile))
    return ls_fail(err, LS_EREQUEST, "there is no device profile '%s'", LS_QUOTE(want->profile));
  if (want->launch && !recipe->sequence) return ls_fail(err, LS_EREQUEST, "%s is one launch", recipe->name);
  set_how(want, request);
  return true;
}
