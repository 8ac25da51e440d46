// cmd_kernels.c: lanescope kernels: the catalog, or one kernel in full.
#include <inttypes.h>

#include "app/run/expectation.h"
#include "app/run/recordings.h"
#include "cli/busy.h"
#include "cli/cli.h"
#include "cli/kernel_form.h"
#include "cli/recipe_json.h"

static void json_recording(LsJson *json, const Recording *recording) {
  ls_json_open(json, '{');
  ls_json_member(json, "parameters", recording->parameters);
  ls_json_member(json, "code", recording->code);
  ls_json_member(json, "device_name", recording->device_name);
  ls_json_member(json, "date", recording->date);
  ls_json_member(json, "driver", recording->driver);
  ls_json_member_u64(json, "steps", recording->steps);
  ls_json_member_u64(json, "blocks", recording->blocks);
  ls_json_member_u64(json, "bytes", recording->bytes);
  ls_json_member(json, "path", recording->path);
  ls_json_member_bool(json, "outdated", recording->is_outdated);
  ls_json_close(json, '}');
}

static void json_recordings(LsJson *json, const Recipe *recipe) {
  Recordings all;
  recordings_of(recipe->name, &all);
  ls_json_open_member(json, "recordings", '[');
  for (int i = 0; i < all.count; i++) json_recording(json, &all.items[i]);
  ls_json_close(json, ']');
  recordings_fini(&all);
}

static void json_sizes(LsJson *json, const Recipe *recipe) {
  LsText values = {0};
  const RecipeSizes *sizes[] = {&recipe->lecture, &recipe->timing};
  static const char *const keys[] = {"lecture", "timing"};
  for (int i = 0; i < LS_COUNT(sizes); i++) {
    ls_text_clear(&values);
    recipe_print_values(recipe, &sizes[i]->values, &values);
    ls_json_member(json, keys[i], sizes[i]->given ? ls_text_str(&values) : NULL);
  }
  ls_text_free(&values);
}

static void json_forms(LsJson *json, const Recipe *recipe) {
  ls_json_open_member(json, "forms", '[');
  for (int i = 0; recipe_has_forms(recipe) && i < recipe->form_count; i++) {
    ls_json_open(json, '{');
    kernel_form_json_members(json, &recipe->forms[i]);
    ls_json_close(json, '}');
  }
  ls_json_close(json, ']');
}

static void json_recipe(LsJson *json, const Recipe *recipe) {
  static const char *const keys[] = {"name", "id", "title", "about", "topic", "source"};
  const char *values[] = {recipe->name, recipe->id, recipe->title, recipe->about, recipe->topic, recipe->forms[0].source};
  ls_json_open(json, '{');
  for (int i = 0; i < LS_COUNT(keys); i++) ls_json_member(json, keys[i], values[i]);
  ls_json_open_member(json, "lessons", '[');
  for (int i = 0; i < recipe->lesson_count; i++) ls_json_str(json, recipe->lessons[i]);
  ls_json_close(json, ']');
  ls_json_open_member(json, "parameters", '[');
  for (int i = 0; i < recipe->param_count; i++) recipe_json_param(json, &recipe->params[i], recipe->params[i].fallback);
  ls_json_close(json, ']');
  if (recipe->model) ls_json_member(json, "model", recipe->model);
  json_forms(json, recipe);
  json_sizes(json, recipe);
  json_recordings(json, recipe);
  ls_json_close(json, '}');
}

static void print_sizes(const Recipe *recipe, const char *name, const RecipeSizes *sizes) {
  LsText text = {0};
  recipe_print_values(recipe, &sizes->values, &text);
  if (sizes->given) plain_print(stdout, "  %s: %s\n", name, ls_text_str(&text));
  ls_text_free(&text);
}

// The values of the lecture and for timing, and what is recorded.
static void print_runs(const Recipe *recipe) {
  Recordings all;
  LsText text = {0};
  print_sizes(recipe, "lecture", &recipe->lecture);
  print_sizes(recipe, "timing", &recipe->timing);
  recordings_of(recipe->name, &all);
  for (int i = 0; i < all.count; i++) {
    ls_text_clear(&text);
    recording_words(&all.items[i], &text);
    plain_print(stdout, "  recorded: %s; %" PRIu64 " steps of %" PRIu64 " blocks\n", ls_text_str(&text),
                all.items[i].steps, all.items[i].blocks);
  }
  recordings_fini(&all);
  ls_text_free(&text);
}

static void print_form(const RecipeForm *form) {
  LsText words = {0};
  expectation_form_words(form, &words);
  plain_print(stdout, "  --form %s  %s\n", form->name, ls_text_str(&words));
  ls_text_free(&words);
}

static void print_recipe(const Recipe *recipe) {
  plain_print(stdout, "%s (%s): %s\n%s\n", recipe->name, recipe->id, recipe->title, recipe->about);
  for (int i = 0; i < recipe->param_count; i++) {
    const RecipeParam *param = &recipe->params[i];
    LsText text = {0};
    recipe_value_text(param, param->fallback, &text);
    plain_print(stdout, "  -p %s=%s  %s", param->name, ls_text_str(&text), param->help);
    if (!param->choice_count) plain_print(stdout, " (%" PRId64 " to %" PRId64 ")", param->min, param->max);
    ls_text_clear(&text);
    recipe_choices(param, &text);
    if (param->choice_count) plain_print(stdout, " (%s)", ls_text_str(&text));
    puts("");
    ls_text_free(&text);
  }
  for (int i = 0; recipe_has_forms(recipe) && i < recipe->form_count; i++) print_form(&recipe->forms[i]);
  if (recipe->model) plain_print(stdout, "  model: %s", recipe->model);
  for (int i = 0; i < recipe->model_value_count; i++) plain_print(stdout, " -p %s", recipe->model_values[i]);
  if (recipe->model) puts("");
  print_runs(recipe);
}

static int print_one(RecipeBook *book, const char *name, bool json_wanted, LsErr *err) {
  const Recipe *recipe = book->get(book, name, err);
  if (!recipe) return -1;
  if (!json_wanted) return print_recipe(recipe), 0;
  LsText text = {0};
  LsJson json;
  ls_json_init(&json, &text);
  json_recipe(&json, recipe);
  cli_print_json(&text);
  return 0;
}

static int print_list(RecipeBook *book, LsErr *err) {
  for (int i = 0; i < book->count(book); i++) {
    const Recipe *recipe = book->get(book, book->name(book, i), err);
    if (!recipe) return -1;
    plain_print(stdout, "%-22s %-4s %s", recipe->name, recipe->id, recipe->title);
    if (recipe_has_forms(recipe)) plain_print(stdout, " (%d forms)", recipe->form_count);
    plain_print(stdout, "%s\n", recordings_has(recipe->name) ? " (recorded)" : "");
  }
  return 0;
}

static int print_json_list(RecipeBook *book, LsErr *err) {
  LsText text = {0};
  LsJson json;
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_open_member(&json, "kernels", '[');
  const Recipe *recipe = NULL;
  for (int i = 0; i < book->count(book); i++) {
    recipe = book->get(book, book->name(book, i), err);
    if (!recipe) break;
    json_recipe(&json, recipe);
  }
  ls_json_close(&json, ']');
  ls_json_close(&json, '}');
  if (recipe) cli_print_json(&text);
  return recipe ? 0 : -1;
}

int cmd_kernels(Cli *cli, LsErr *err) {
  RecipeBook *book = cli_book(cli, err);
  if (!book) return -1;
  bool json = cli->given[OPT_ID_JSON];
  if (cli->word_count) return print_one(book, cli->words[0], json, err);
  busy_begin("reading the recipes");
  int status = json ? print_json_list(book, err) : print_list(book, err);
  busy_end();
  return status;
}
