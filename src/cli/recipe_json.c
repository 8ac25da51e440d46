// recipe_json.c: parameters of recipes and models as JSON.
#include "cli/recipe_json.h"

// A value as the recipe writes it: a word, or a number.
void recipe_json_value(LsJson *json, const RecipeParam *param, int64_t value) {
  LsText text = {0};
  int64_t number;
  recipe_value_text(param, value, &text);
  if (!param->is_text && ls_parse_i64(ls_text_str(&text), &number)) ls_json_i64(json, number);
  else ls_json_str(json, ls_text_str(&text));
  ls_text_free(&text);
}

void recipe_json_param(LsJson *json, const RecipeParam *param, int64_t fallback) {
  ls_json_open(json, '{');
  ls_json_member(json, "name", param->name);
  ls_json_key(json, "default");
  recipe_json_value(json, param, fallback);
  if (param->choice_count) {
    ls_json_open_member(json, "choices", '[');
    for (int i = 0; i < param->choice_count; i++) recipe_json_value(json, param, i);
    ls_json_close(json, ']');
  } else {
    ls_json_member_i64(json, "min", param->min);
    ls_json_member_i64(json, "max", param->max);
  }
  ls_json_member(json, "help", param->help);
  ls_json_close(json, '}');
}
