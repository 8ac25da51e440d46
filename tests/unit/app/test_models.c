// test_models.c: every model: its parameters, its numbers and words at all ends of them, and what is said of wrong ones.
#include <math.h>

#include "app/models/models.h"
#include "base/mem.h"
#include "check.h"
#include "check_models.h"

static void all_are_found(void) {
  CHECK(model_at(0) && model_at(-1) == NULL && model_at(1000) == NULL);
  for (int i = 0; model_at(i); i++) {
    const Model *model = model_at(i);
    CHECK(model_named(model->recipe.name) == model);
    CHECK(strlen(model->recipe.title) > 10 && strlen(model->recipe.about) > 60 && strlen(model->rules) > 60);
    CHECK(model->recipe.topic && model->recipe.param_count <= LS_COUNT(((RecipeValues *)0)->value));
    CHECK(model->time < model->recipe.param_count);
    for (int p = 0; p < model->recipe.param_count; p++) {
      const RecipeParam *param = &model->recipe.params[p];
      CHECK(param->help && *param->help && (param->choice_count || param->min < param->max));
      CHECK(param->choice_count || (param->fallback >= param->min && param->fallback <= param->max));
      CHECK(param->log2 || param->step >= 1);
      CHECK(!param->choice_count || param->max == param->choice_count - 1);
    }
  }
}

static void unknown_names_are_told(void) {
  LsErr err = {0};
  CHECK(!model_find("ocupancy", &err) && err.kind == LS_EREQUEST);
  CHECK(strstr(err.message, "there is no model 'ocupancy'; there are occupancy") != NULL);
  ModelValues values;
  const Model *model = model_find("occupancy", &err);
  model_defaults(model, &values);
  CHECK(!model_set(model, &values, "registers=256", &err));
  CHECK_STR(err.message, "registers is 256; it can be 0 to 255");
  CHECK(!model_set(model, &values, "register=3", &err));
  CHECK_STR(err.message, "occupancy has no parameter 'register'; did you mean registers?");
  CHECK(!model_set(model, &values, "profile=g81", &err) && strstr(err.message, "it is one of 1 g80, 2 gt200"));
  CHECK_INT(values.numbers.value[2], 34);
  LsText text = {0};
  model_print_values(model, &values, &text);
  CHECK_STR(ls_text_str(&text), "profile=v100 threads=256 registers=34 shared=0 curve=threads");
  ls_text_free(&text);
}

// Names are unlike and the same whatever the values; a number is one or, where there is none, NaN; words end as
// sentences do.
static void look(void *context, const Model *model, const ModelValues *values) {
  ModelFacts facts = {0};
  LsText words = {0};
  int *looks = context;
  model->facts(values, &facts);
  model->words(values, &words);
  CHECK(facts.count > 0 && facts.count < MODEL_FACTS);
  for (int i = 0; i < facts.count; i++) {
    CHECK(fact_find(&facts, facts.list[i].name) == &facts.list[i]);
    CHECK(!isinf(facts.list[i].number));
  }
  size_t length = words.length;
  bool ends = length > 20 && strchr(".)", ls_text_str(&words)[length - 1]);
  if (!ends || length > 600) printf("\n%s: '%s'", model->recipe.name, ls_text_str(&words));
  CHECK(ends && length <= 600 && strstr(ls_text_str(&words), "  ") == NULL);
  if (model->time >= 0) CHECK(model_time_after(model, values) >= values->numbers.value[model->time]);
  ls_text_free(&words);
  ++*looks;
}

static void all_hold_at_their_ends(void) {
  int looks = 0;
  for (int i = 0; model_at(i); i++) each_end(model_at(i), look, &looks), each_drawn(model_at(i), 300, look, &looks);
  CHECK(looks > 300);
}

static void sliders_stop_where_they_should(void) {
  const RecipeParam *threads = &model_named("occupancy")->recipe.params[1];
  CHECK_INT(recipe_step_value(threads, 1, 1), 32);
  CHECK_INT(recipe_step_value(threads, 32, -1), 1);
  CHECK_INT(recipe_step_value(threads, 100, 1), 128);
  CHECK_INT(recipe_step_value(threads, 100, -1), 96);
  CHECK_INT(recipe_step_value(threads, 1024, 1), 1024);
  CHECK_INT(recipe_value_at(threads, 0), 1);
  CHECK_INT(recipe_value_at(threads, 1), 1024);
  CHECK_INT(recipe_value_at(threads, 0.5), 512);
  RecipeParam doubling = {.min = 1, .max = 1 << 20, .log2 = true};
  for (int i = 0; i <= 20; i++) CHECK_INT(recipe_value_at(&doubling, recipe_share(&doubling, 1 << i)), 1 << i);
}

static void one_is_no_plural(void) {
  ModelFacts facts = {0};
  LsText text = {0};
  fact_number(&facts, "a", "blocks", 1);
  fact_number(&facts, "b", "blocks", 2);
  fact_number(&facts, "c", "copies", 1);
  fact_number(&facts, "d", "GB/s", 1);
  fact_number(&facts, "e", "ms", 1);
  fact_number(&facts, "f", "", 1);
  fact_number(&facts, "g", "blocks", NAN);
  model_print_facts(&facts, &text);
  CHECK_STR(ls_text_str(&text), "  a  1 block\n  b  2 blocks\n  c  1 copy\n"
            "  d  1 GB/s\n  e  1 ms\n  f  1\n  g  none\n");
  ls_text_free(&text);
}

static const Check checks[] = {
    {"all are found", all_are_found},
    {"unknown names are told", unknown_names_are_told},
    {"all hold at their ends", all_hold_at_their_ends},
    {"one is no plural", one_is_no_plural},
    {"sliders stop where they should", sliders_stop_where_they_should},
};

int main(int argc, char **argv) { return check_main("models", checks, LS_COUNT(checks), argc, argv); }
