// recipe_model.c: a recipe that is a model: a picture with parameters, without a kernel.
#include <string.h>

#include "app/models/models.h"
#include "script/fields.h"
#include "script/recipe_impl.h"

enum { VALUE_LIMIT = 32 };
static const char *const of_a_kernel[] = {"source", "kernel", "params", "lecture", "timing", "expect", "forms", "arch", "cut",
                                          "partners", "launch", "sequence", "check"};

// values = { threads = 256, registers = 34 }
static void read_values(lua_State *L, RecipeScript *owner, const char *what) {
  Recipe *recipe = &owner->recipe;
  if (field_push(L, RECIPE_TABLE, "values", LUA_TTABLE, what) != LUA_TNIL) {
    int list = lua_gettop(L);
    recipe->model_values = LS_NEW_ARRAY(owner->arena, const char *, VALUE_LIMIT);
    for (lua_pushnil(L); lua_next(L, list); lua_settop(L, list + 1)) {
      if (lua_type(L, list + 1) != LUA_TSTRING) luaL_error(L, "field 'values' gives values by name");
      if (recipe->model_value_count == VALUE_LIMIT) luaL_error(L, "field 'values' has more than %d", VALUE_LIMIT);
      recipe->model_values[recipe->model_value_count++] =
          ls_arena_format(owner->arena, "%s=%s", lua_tostring(L, list + 1), luaL_tolstring(L, list + 2, NULL));
    }
  }
  lua_pop(L, 1);
}

bool recipe_read_model(lua_State *L, RecipeScript *owner, const char *what) {
  Recipe *recipe = &owner->recipe;
  LsErr err = {0};
  ModelValues values;
  const char *name = field_string_or(L, RECIPE_TABLE, "model", NULL, what, owner->arena);
  read_values(L, owner, what);
  if (!name && recipe->model_values) luaL_error(L, "field 'values' is for a 'model'; a kernel has 'params'");
  if (!name) return false;
  const Model *model = model_find(name, &err);
  if (!model) luaL_error(L, "field 'model': %s", err.message);
  for (int i = 0; i < LS_COUNT(of_a_kernel); i++)
    if (lua_getfield(L, RECIPE_TABLE, of_a_kernel[i]) != LUA_TNIL)
      luaL_error(L, "field '%s' is for a kernel: '%s' is a model, which has 'values'", of_a_kernel[i], name);
  recipe->model = name;
  if (!model_of_recipe(model, recipe, &values, &err)) luaL_error(L, "field 'values': %s", err.message);
  recipe->forms = LS_NEW_ARRAY(owner->arena, RecipeForm, 1);
  recipe->forms[0] = (RecipeForm){.source = ""};
  recipe->form_count = 1;
  recipe->launch = NULL;
  recipe->check = NULL;
  lua_settop(L, RECIPE_TABLE);
  return true;
}
