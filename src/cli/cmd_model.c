// cmd_model.c: lanescope model: a picture without a kernel, its page, its numbers; or the list of them.
#include <math.h>

#include "app/models/models.h"
#include "cli/cli.h"
#include "cli/model_of_run.h"
#include "cli/recipe_json.h"
#include "ui/pages/page.h"

const Model *cli_model(Cli *cli, const char *name, ModelValues *values, LsErr *err) {
  const Model *model = model_named(name);
  const Recipe *recipe = model ? NULL : cli_recipe(cli, name, NULL);
  if (recipe && recipe->model) model = model_named(recipe->model);
  if (!model) return NULL;
  if (!recipe) model_defaults(model, values);
  else if (!model_of_recipe(model, recipe, values, err)) return NULL;
  if (cli->kernel_count && !model_of_run_read(cli, model, values, err)) return NULL;
  for (int i = 0; i < cli->param_count; i++)
    if (!model_of_run_is_kernels(cli, cli->params[i]) && !model_set(model, values, cli->params[i], err)) return NULL;
  return model;
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

static void json_parameters(LsJson *json, const Model *model) {
  ModelValues defaults;
  model_defaults(model, &defaults);
  ls_json_open_member(json, "parameters", '[');
  for (int i = 0; i < model->recipe.param_count; i++)
    recipe_json_param(json, &model->recipe.params[i], defaults.numbers.value[i]);
  ls_json_close(json, ']');
  if (model->script) ls_json_member(json, model->script_name, model->script);
}

static void json_list(void) {
  LsText text = {0};
  LsJson json;
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_open_member(&json, "models", '[');
  for (int i = 0; model_at(i); i++) {
    const Model *model = model_at(i);
    ls_json_open(&json, '{');
    ls_json_member(&json, "name", model->recipe.name);
    ls_json_member(&json, "title", model->recipe.title);
    ls_json_member(&json, "about", model->recipe.about);
    ls_json_member(&json, "rules", model->rules);
    json_parameters(&json, model);
    ls_json_close(&json, '}');
  }
  ls_json_close(&json, ']');
  ls_json_close(&json, '}');
  cli_print_json(&text);
}

static void json_values(LsJson *json, const Model *model, const ModelValues *values) {
  ls_json_open_member(json, "params", '{');
  for (int i = 0; i < model->recipe.param_count; i++) {
    ls_json_key(json, model->recipe.params[i].name);
    recipe_json_value(json, &model->recipe.params[i], values->numbers.value[i]);
  }
  if (model->script) ls_json_member(json, model->script_name, values->script);
  ls_json_close(json, '}');
}

static void json_facts(LsJson *json, const ModelFacts *facts) {
  ls_json_open_member(json, "facts", '{');
  for (int i = 0; i < facts->count; i++) {
    const ModelFact *fact = &facts->list[i];
    if (fact->is_text) ls_json_member(json, fact->name, fact->text);
    else if (!isnan(fact->number) && fact->number == floor(fact->number) && fabs(fact->number) < 1e15)
      ls_json_member_i64(json, fact->name, (int64_t)fact->number);
    else ls_json_member_f64(json, fact->name, fact->number);
  }
  ls_json_close(json, '}');
}

static void json_one(const Model *model, const ModelValues *values) {
  LsText text = {0}, words = {0};
  LsJson json;
  ModelFacts facts = {0};
  model->facts(values, &facts);
  model->words(values, &words);
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_member(&json, "model", model->recipe.name);
  json_values(&json, model, values);
  json_facts(&json, &facts);
  ls_json_member(&json, "words", ls_text_str(&words));
  ls_json_close(&json, '}');
  cli_print_json(&text);
  ls_text_free(&words);
}

// ---- text ----------------------------------------------------------------------------------------------------------

static void print_list(void) {
  for (int i = 0; model_at(i); i++) plain_print(stdout, "%-14s %s\n", model_at(i)->recipe.name,
                                                model_at(i)->recipe.title);
}

static void print_one(const Model *model, const ModelValues *values) {
  LsText text = {0};
  ModelFacts facts = {0};
  model->facts(values, &facts);
  plain_print(stdout, "%s: %s\n", model->recipe.name, model->recipe.title);
  model_print_values(model, values, &text);
  plain_print(stdout, "%s\n\n", ls_text_str(&text));
  ls_text_clear(&text);
  model->words(values, &text);
  plain_paragraph(stdout, "", ls_text_str(&text), 0);
  ls_text_clear(&text);
  model_print_facts(&facts, &text);
  plain_print(stdout, "\n%s", ls_text_str(&text));
  ls_text_free(&text);
}

static int model_list(const Cli *cli, LsErr *err) {
  if (cli->param_count) {
    ls_fail(err, LS_EREQUEST, "-p is for a model: lanescope model NAME -p ...");
    return -1;
  }
  if (cli->given[OPT_ID_JSON]) return json_list(), 0;
  if (cli_wants_screen(cli)) return cli_show_page(cli, page_models_new(), err);
  return print_list(), 0;
}

static Page *page_of(const Cli *cli, const Model *model, const ModelValues *values) {
  bool one = cli->kernel_count == 1;
  return one ? page_model_of_run(model, values, cli->kernels[0]) : page_model_new(model, values);
}

int cmd_model(Cli *cli, LsErr *err) {
  if (!cli->word_count) return model_list(cli, err);
  ModelValues values;
  const Model *model = cli_model(cli, cli->words[0], &values, err);
  if (!model && err->kind == LS_OK) model_find(cli->words[0], err);
  if (!model || (!cli->kernel_count && !model_of_run_read(cli, model, &values, err))) return -1;
  if (cli->given[OPT_ID_JSON]) return json_one(model, &values), 0;
  if (cli_wants_screen(cli)) return cli_show_page(cli, page_of(cli, model, &values), err);
  return print_one(model, &values), 0;
}
