// recipe.c: values of a recipe's parameters: defaults, -p assignments, sliders.
#include "app/run/recipe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void recipe_defaults(const Recipe *recipe, RecipeValues *values) {
  *values = (RecipeValues){0};
  for (int i = 0; i < recipe->param_count; i++) values->value[i] = recipe->params[i].fallback;
}

const RecipeForm *recipe_form(const Recipe *recipe, const RecipeValues *values) {
  return &recipe->forms[recipe_has_forms(recipe) ? values->value[0] : 0];
}

void recipe_form_values(const Recipe *recipe, int form, RecipeValues *values) {
  const RecipeExpect *expect = &recipe->forms[form].expect;
  recipe_defaults(recipe, values);
  if (expect->has_at) *values = expect->at;
  if (recipe_has_forms(recipe)) values->value[0] = form;
}

bool recipe_form_is_bug(const RecipeForm *form) {
  const RecipeExpect *e = &form->expect;
  return e->outcome != RECIPE_RIGHT || e->faults || e->between;
}

const char *recipe_outcome_name(RecipeOutcome outcome) {
  static const char *const names[] = {[RECIPE_RIGHT] = "right", [RECIPE_WRONG] = "wrong",
                                      [RECIPE_BY_CHANCE] = "by chance"};
  return names[outcome];
}

void recipe_value_text(const RecipeParam *param, int64_t value, LsText *out) {
  if (!param->choice_count) ls_text_addf(out, "%" PRId64, value);
  else if (value >= 0 && value < param->choice_count) ls_text_add(out, param->choices[value]);
  else ls_text_add(out, "?");
}

void recipe_print_values(const Recipe *recipe, const RecipeValues *values, LsText *out) {
  for (int i = 0; i < recipe->param_count; i++) {
    ls_text_addf(out, "%s%s=", i ? " " : "", recipe->params[i].name);
    recipe_value_text(&recipe->params[i], values->value[i], out);
  }
}

static bool unknown_parameter(const Recipe *recipe, const char *name, LsErr *err) {
  if (!recipe->param_count) return ls_fail(err, LS_EREQUEST, "%s has no parameters", recipe->name);
  const char *nearest = NULL;
  int best = 3;
  LsText list = {0};
  for (int i = 0; i < recipe->param_count; i++) {
    const char *known = recipe->params[i].name;
    int distance = ls_edit_distance(known, name);
    ls_text_addf(&list, "%s%s", i ? ", " : "", known);
    if (distance < best && distance < (int)strlen(known)) {
      best = distance;
      nearest = known;
    }
  }
  ls_fail(err, LS_EREQUEST, "%s has no parameter '%s'; ", recipe->name, LS_QUOTE(name));
  size_t length = err ? strlen(err->message) : 0;
  if (err && nearest) snprintf(err->message + length, sizeof err->message - length, "did you mean %s?", nearest);
  else if (err) snprintf(err->message + length, sizeof err->message - length, "it has %s", ls_text_str(&list));
  ls_text_free(&list);
  return false;
}

// Whether choices have numbers, too: words do, unless one of them looks like a number.
static bool is_numbered(const RecipeParam *param) {
  int64_t number;
  for (int i = 0; i < param->choice_count; i++)
    if (ls_parse_i64(param->choices[i], &number)) return false;
  return param->choice_count > 0;
}

void recipe_choices(const RecipeParam *param, LsText *out) {
  bool numbered = is_numbered(param);
  for (int i = 0; i < param->choice_count; i++) {
    if (i) ls_text_add(out, ", ");
    if (numbered) ls_text_addf(out, "%d ", i + 1);
    ls_text_add(out, param->choices[i]);
  }
}

static bool is_choice(const RecipeParam *param, int index, const char *text, bool is_number, int64_t number) {
  int64_t choice;
  if (is_number && is_numbered(param)) return number == index + 1;
  return is_number && !param->is_text ? ls_parse_i64(param->choices[index], &choice) && choice == number
                                      : strcmp(param->choices[index], text) == 0;
}

static bool set_choice(const RecipeParam *param, const char *text, int64_t *value, LsErr *err) {
  int64_t number = 0;
  bool is_number = ls_parse_i64(text, &number);
  for (int i = 0; i < param->choice_count; i++) {
    if (!is_choice(param, i, text, is_number, number)) continue;
    *value = i;
    return true;
  }
  LsText list = {0};
  recipe_choices(param, &list);
  ls_fail(err, LS_EREQUEST, "%s cannot be '%s'; it is one of %s", param->name, LS_QUOTE(text), ls_text_str(&list));
  ls_text_free(&list);
  return false;
}

static bool set_number(const RecipeParam *param, const char *text, int64_t *value, LsErr *err) {
  int64_t number;
  if (!ls_parse_i64(text, &number))
    return ls_fail(err, LS_EREQUEST, "%s needs a whole number, not '%s'", param->name, LS_QUOTE(text));
  if (number < param->min || number > param->max)
    return ls_fail(err, LS_EREQUEST, "%s is %" PRId64 "; it can be %" PRId64 " to %" PRId64, param->name, number,
                   param->min, param->max);
  *value = number;
  return true;
}

bool recipe_set(const Recipe *recipe, RecipeValues *values, const char *assignment, LsErr *err) {
  const char *equals = strchr(assignment, '=');
  if (!equals || equals == assignment)
    return ls_fail(err, LS_EREQUEST, "'%s' is not of the form NAME=VALUE", LS_QUOTE(assignment));
  size_t length = (size_t)(equals - assignment);
  for (int i = 0; i < recipe->param_count; i++) {
    const RecipeParam *param = &recipe->params[i];
    if (strlen(param->name) != length || strncmp(param->name, assignment, length) != 0) continue;
    return param->choice_count ? set_choice(param, equals + 1, &values->value[i], err)
                               : set_number(param, equals + 1, &values->value[i], err);
  }
  char *name = ls_strndup(assignment, LS_MIN(length, 80));
  unknown_parameter(recipe, name, err);
  free(name);
  return false;
}

static void carry_one(const Recipe *from, const RecipeValues *values, const char *name, const Recipe *to, const char *as,
                      RecipeValues *out) {
  for (int i = 0; i < from->param_count; i++) {
    if (strcmp(from->params[i].name, name) != 0) continue;
    LsText text = {0};
    ls_text_addf(&text, "%s=", as);
    recipe_value_text(&from->params[i], values->value[i], &text);
    recipe_set(to, out, ls_text_str(&text), NULL);
    ls_text_free(&text);
  }
}

void recipe_carry(const Recipe *from, const RecipeValues *values, const Recipe *to, const RecipePartner *partner,
                  RecipeValues *out) {
  recipe_defaults(to, out);
  for (int i = 0; i < from->param_count; i++)
    carry_one(from, values, from->params[i].name, to, from->params[i].name, out);
  for (int i = 0; partner && i < partner->take_count; i++)
    carry_one(from, values, partner->take[i].ours, to, partner->take[i].its, out);
}

// The next power of two up or down, so that a slider that starts at 1000 goes on with 1024.
static int64_t double_or_halve(int64_t value, int direction) {
  int64_t power = 1;
  if (direction > 0) {
    while (power <= value && power <= INT64_MAX / 2) power *= 2;
    return power;
  }
  if (value <= 1) return 0;
  while (power * 2 < value) power *= 2;
  return power;
}

// The multiple of step above or below a value.
static int64_t multiple(int64_t value, int64_t step, int direction) {
  int64_t below = (value >= 0 ? value : value - step + 1) / step * step;
  if (direction > 0) return below + step;
  return below < value ? below : below - step;
}

int64_t recipe_step_value(const RecipeParam *param, int64_t value, int direction) {
  int64_t next = value;
  if (param->choice_count) next = value + (direction > 0 ? 1 : -1);
  else if (param->log2) next = double_or_halve(value, direction);
  else if (direction > 0) next = value > param->max - param->step ? param->max : multiple(value, param->step, 1);
  else next = value < param->min + param->step ? param->min : multiple(value, param->step, -1);
  return LS_CLAMP(next, param->min, param->max);
}

static void ends_of(const RecipeParam *param, int64_t *low, int64_t *high) {
  *low = param->choice_count ? 0 : param->min;
  *high = param->choice_count ? param->choice_count - 1 : param->max;
}

static bool doubles(const RecipeParam *param) { return param->log2 && !param->choice_count && param->min > 0; }
static int log2_of(int64_t value) { return value > 0 ? 63 - __builtin_clzll((uint64_t)value) : 0; }

double recipe_share(const RecipeParam *param, int64_t value) {
  int64_t low, high;
  ends_of(param, &low, &high);
  if (high <= low) return 0;
  if (!doubles(param)) return (double)(value - low) / (double)(high - low);
  int from = log2_of(low), to = log2_of(high);
  return (double)(log2_of(value) - from) / LS_MAX(to - from, 1);
}

int64_t recipe_value_at(const RecipeParam *param, double share) {
  int64_t low, high;
  ends_of(param, &low, &high);
  share = LS_CLAMP(share, 0.0, 1.0);
  int from = log2_of(low), to = log2_of(high);
  if (doubles(param)) return LS_CLAMP((int64_t)1 << (from + (int)(share * (to - from) + 0.5)), low, high);
  int64_t step = param->choice_count ? 1 : LS_MAX(param->step, 1);
  int64_t value = low + (int64_t)(share * (double)(high - low) + 0.5);
  if (value < high) value = (value + step / 2) / step * step;
  return LS_CLAMP(value, low, high);
}
