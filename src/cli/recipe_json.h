// recipe_json.h: parameters of recipes and models as JSON: their ranges or choices, and values.
#ifndef LS_CLI_RECIPE_JSON_H
#define LS_CLI_RECIPE_JSON_H

#include "app/run/recipe.h"
#include "base/json.h"

// A value as it is written with -p: a word, or a number.
void recipe_json_value(LsJson *json, const RecipeParam *param, int64_t value);
void recipe_json_param(LsJson *json, const RecipeParam *param, int64_t fallback);

#endif
