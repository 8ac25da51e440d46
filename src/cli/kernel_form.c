// kernel_form.c: the form of a lecture kernel, told by stats and kernels.
#include "cli/kernel_form.h"

#include "app/run/expectation.h"
#include "cli/plain.h"

void kernel_form_json_members(LsJson *json, const RecipeForm *form) {
  LsText expected = {0};
  expectation_words(&form->expect, &expected);
  ls_json_member(json, "name", form->name);
  ls_json_member(json, "title", form->title);
  ls_json_member(json, "source", form->source);
  ls_json_member(json, "define", form->define);
  ls_json_member(json, "erratum", form->erratum);
  ls_json_member(json, "where", form->where);
  ls_json_member(json, "verdict", recipe_outcome_name(form->expect.outcome));
  ls_json_member(json, "expected", ls_text_str(&expected));
  ls_text_free(&expected);
}

static bool says_something(const Recipe *recipe, const RecipeValues *values) {
  return recipe_has_forms(recipe) || recipe_form_is_bug(recipe_form(recipe, values));
}

// The values of this recipe stand before the words of a difference already: see expectation_is_met.
void kernel_form_print(const Recipe *recipe, const RecipeValues *values, const LsErr *differs, FILE *out) {
  if (!recipe || !says_something(recipe, values)) return;
  const RecipeForm *form = recipe_form(recipe, values);
  LsText words = {0};
  if (form->name) ls_text_addf(&words, "form %s: ", form->name);
  expectation_form_words(form, &words);
  plain_print(out, "%s%s\n", ls_text_str(&words), differs->kind ? "; not so here" : "");
  if (differs->kind) plain_print(out, "  %s\n", differs->message);
  ls_text_free(&words);
}

void kernel_form_json(const Recipe *recipe, const RecipeValues *values, const LsErr *differs, LsJson *json) {
  if (!recipe || !says_something(recipe, values)) return;
  ls_json_open_member(json, "form", '{');
  kernel_form_json_members(json, recipe_form(recipe, values));
  ls_json_member_bool(json, "as_expected", !differs->kind);
  if (differs->kind) ls_json_member(json, "differs", differs->message);
  ls_json_close(json, '}');
}
