// model.c: values of a model's parameters, and the numbers that it gives.
#include "app/models/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

const char *const model_profiles[] = {
#define ARCH(name, ...) name,
#include "model/arch.def"
#undef ARCH
};

const ArchProfile *model_profile(int64_t value) { return arch_find(model_profiles[LS_CLAMP(value, 0,
                                                                                           MODEL_PROFILES - 1)]); }

// ---- values --------------------------------------------------------------------------------------------------------

static int64_t profile_index(const char *name) {
  for (int i = 0; i < MODEL_PROFILES; i++)
    if (strcmp(model_profiles[i], name) == 0) return i;
  return 0;
}

void model_defaults(const Model *model, ModelValues *values) {
  *values = (ModelValues){0};
  recipe_defaults(&model->recipe, &values->numbers);
  for (int i = 0; model->profile && i < model->recipe.param_count; i++)
    if (model->recipe.params[i].choices == (const char **)model_profiles)
      values->numbers.value[i] = profile_index(model->profile);
  if (model->script) snprintf(values->script, sizeof values->script, "%s", model->script);
  model_changed(model, values, true);
}

static bool set_script(const Model *model, ModelValues *values, const char *text, LsErr *err) {
  if (strlen(text) >= sizeof values->script)
    return ls_fail(err, LS_EREQUEST, "%s takes at most %d characters", model->script_name, MODEL_SCRIPT - 1);
  if (model->script_check && !model->script_check(text, err)) return false;
  snprintf(values->script, sizeof values->script, "%s", text);
  return true;
}

static bool set(const Model *model, ModelValues *values, const char *assignment, LsErr *err) {
  size_t length = model->script ? strlen(model->script_name) : 0;
  if (length && strncmp(assignment, model->script_name, length) == 0 && assignment[length] == '=')
    return set_script(model, values, assignment + length + 1, err);
  return recipe_set(&model->recipe, &values->numbers, assignment, err);
}

bool model_set(const Model *model, ModelValues *values, const char *assignment, LsErr *err) {
  bool at_end = model_at_end(model, values);
  int64_t was = model->time >= 0 ? values->numbers.value[model->time] : 0;
  if (!set(model, values, assignment, err)) return false;
  model_changed(model, values, at_end && values->numbers.value[LS_MAX(model->time, 0)] == was);
  return true;
}

void model_print_values(const Model *model, const ModelValues *values, LsText *out) {
  recipe_print_values(&model->recipe, &values->numbers, out);
  if (model->script) ls_text_addf(out, "%s%s=\"%s\"", out->length ? " " : "", model->script_name, values->script);
}

static int64_t end_of(const Model *model, const ModelValues *values) {
  const RecipeParam *param = &model->recipe.params[model->time];
  return model->end ? LS_CLAMP(model->end(values), param->min, param->max) : param->max;
}

int64_t model_most(const Model *model, const ModelValues *values, int param) {
  const RecipeParam *p = &model->recipe.params[param];
  if (param == model->time) return LS_MAX(end_of(model, values), values->numbers.value[param]);
  return model->most ? LS_CLAMP(model->most(values, param), p->min, p->max) : p->max;
}

int64_t model_time_after(const Model *model, const ModelValues *values) {
  int64_t now = values->numbers.value[model->time], end = end_of(model, values);
  int64_t by = model->pace ? LS_MAX(model->pace(values), 1) : model->recipe.params[model->time].step;
  return now >= end ? now : LS_MIN(now + by, end);
}

bool model_at_end(const Model *model, const ModelValues *values) {
  return model->time >= 0 && values->numbers.value[model->time] >= end_of(model, values);
}

void model_changed(const Model *model, ModelValues *values, bool at_end) {
  if (model->time < 0) return;
  int64_t end = end_of(model, values), *now = &values->numbers.value[model->time];
  if (at_end || *now > end) *now = end;
}

// ---- facts ---------------------------------------------------------------------------------------------------------

static ModelFact *add(ModelFacts *facts, const char *name) {
  ModelFact *fact = &facts->list[LS_MIN(facts->count, MODEL_FACTS - 1)];
  if (facts->count < MODEL_FACTS) facts->count++;
  *fact = (ModelFact){.unit = ""};
  snprintf(fact->name, sizeof fact->name, "%s", name);
  return fact;
}

void fact_number(ModelFacts *facts, const char *name, const char *unit, double number) {
  ModelFact *fact = add(facts, name);
  fact->unit = unit;
  fact->number = number;
}

void fact_text(ModelFacts *facts, const char *name, const char *text) {
  ModelFact *fact = add(facts, name);
  fact->is_text = true;
  snprintf(fact->text, sizeof fact->text, "%s", text);
}

const ModelFact *fact_find(const ModelFacts *facts, const char *name) {
  for (int i = 0; i < facts->count; i++)
    if (strcmp(facts->list[i].name, name) == 0) return &facts->list[i];
  return NULL;
}

// "6 blocks", "1 block", "1 copy"; "GB/s" and "ms" have no plural.
static void add_amount(const ModelFact *fact, LsText *out) {
  ls_text_addf(out, "%.10g%s", fact->number, *fact->unit ? " " : "");
  ls_text_add_unit(out, fact->number == 1, fact->unit);
}

void model_print_facts(const ModelFacts *facts, LsText *out) {
  int width = 0;
  for (int i = 0; i < facts->count; i++) width = LS_MAX(width, (int)strlen(facts->list[i].name));
  for (int i = 0; i < facts->count; i++) {
    const ModelFact *fact = &facts->list[i];
    ls_text_addf(out, "  %-*s  ", width, fact->name);
    if (fact->is_text) ls_text_add(out, fact->text);
    else if (isnan(fact->number)) ls_text_add(out, "none");
    else add_amount(fact, out);
    ls_text_add(out, "\n");
  }
}

bool model_of_recipe(const Model *model, const Recipe *recipe, ModelValues *values, LsErr *err) {
  model_defaults(model, values);
  for (int i = 0; i < recipe->model_value_count; i++)
    if (!model_set(model, values, recipe->model_values[i], err)) return false;
  return true;
}
