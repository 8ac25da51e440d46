// kernel_form.h: the form of a lecture kernel in text and JSON: what it is, and what is expected of a run of it.
#ifndef LS_CLI_KERNEL_FORM_H
#define LS_CLI_KERNEL_FORM_H

#include <stdio.h>

#include "app/run/recipe.h"
#include "base/json.h"

void kernel_form_json_members(LsJson *json, const RecipeForm *form);
// Of a run: differs says what is not as expected, with LS_OK if all is. Nothing for a recipe that expects nothing.
void kernel_form_print(const Recipe *recipe, const RecipeValues *values, const LsErr *differs, FILE *out);
void kernel_form_json(const Recipe *recipe, const RecipeValues *values, const LsErr *differs, LsJson *json);

#endif
