// recipe_tests.c: what tests of a recipe run, and what its runs may cost: its fields 'cases' and 'limits'.
#include <stdio.h>
#include <string.h>

#include "script/fields.h"
#include "script/mod_run.h"
#include "script/recipe_impl.h"

enum { CASE_LIMIT = 256, LIMITS_BUDGET = 10000000 };

// ---- cases ---------------------------------------------------------------------------------------------------------

static void read_case(lua_State *L, RecipeScript *owner, int list, int number) {
  Recipe *recipe = &owner->recipe;
  RecipeCase *at = &recipe->cases[recipe->case_count++];
  char field[40];
  snprintf(field, sizeof field, "cases[%d]", number);
  lua_rawgeti(L, list, number);
  recipe_read_values(L, recipe, &at->values, field);
  if (recipe_has_forms(recipe)) {
    lua_pushliteral(L, "form");
    at->names_form = lua_rawget(L, list + 1) != LUA_TNIL;
  }
  lua_settop(L, list);
}

void recipe_read_tests(lua_State *L, RecipeScript *owner, const char *what) {
  Recipe *recipe = &owner->recipe;
  lua_settop(L, RECIPE_TABLE);
  if (field_push(L, RECIPE_TABLE, "limits", LUA_TFUNCTION, what) != LUA_TNIL) recipe->limits = recipe_run_limits;
  lua_pop(L, 1);
  if (field_push(L, RECIPE_TABLE, "cases", LUA_TTABLE, what) != LUA_TNIL) {
    lua_Unsigned count = lua_rawlen(L, RECIPE_TABLE + 1);
    if (!count) luaL_error(L, "%s: field 'cases' is a list of tables of parameters, and it is empty", what);
    if (count > CASE_LIMIT) luaL_error(L, "%s: field 'cases' has more than %d", what, CASE_LIMIT);
    recipe->cases = LS_NEW_ARRAY(owner->arena, RecipeCase, count);
    for (int i = 1; i <= (int)count; i++) read_case(L, owner, RECIPE_TABLE + 1, i);
  }
  lua_settop(L, RECIPE_TABLE);
}

// ---- limits --------------------------------------------------------------------------------------------------------

typedef struct Limiting {
  const Recipe *recipe;
  const RecipeValues *values;
  const RecipeCounted *counted;
  RecipeLimits *limits;
} Limiting;

static void push_step(lua_State *L, const RecipeStepTime *step) {
  lua_createtable(L, 0, 4);
  lua_pushstring(L, step->kind);
  lua_setfield(L, -2, "kind");
  lua_pushstring(L, step->stream);
  lua_setfield(L, -2, "stream");
  lua_pushinteger(L, step->begin);
  lua_setfield(L, -2, "begin_ns");
  lua_pushinteger(L, step->end);
  lua_setfield(L, -2, "end_ns");
}

static void push_times(lua_State *L, const RecipeCounted *counted) {
  lua_pushinteger(L, counted->time);
  lua_setfield(L, -2, "time_ns");
  lua_createtable(L, counted->step_count, 0);
  for (int i = 0; i < counted->step_count; i++) {
    push_step(L, &counted->steps[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "steps");
}

void recipe_push_counted(lua_State *L, const RecipeCounted *counted) {
  mod_run_push_counters(L, counted->total);
  lua_createtable(L, counted->launch_count, 0);
  for (int i = 0; i < counted->launch_count; i++) {
    mod_run_push_counters(L, &counted->launches[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "launch");
  if (counted->steps) push_times(L, counted);
}

static void add_limit(lua_State *L, RecipeLimits *limits, const char *what, double value, double bound, bool is_least) {
  if (limits->count == RECIPE_LIMITS) luaL_error(L, "'limits' gives more than %d", RECIPE_LIMITS);
  RecipeLimit *limit = &limits->items[limits->count++];
  *limit = (RecipeLimit){.value = value, .bound = bound, .is_least = is_least};
  snprintf(limit->what, sizeof limit->what, "%s", what);
}

static double number_of(lua_State *L, int at, const char *which, int number) {
  if (lua_type(L, at) != LUA_TNUMBER)
    luaL_error(L, "limit %d: %s must be a number, not a %s: { what, value, most }, or { what, value, least = N }",
               number,
               which, luaL_typename(L, at));
  return lua_tonumber(L, at);
}

// { what, value, most }, { what, value, least = N }, or both.
static void read_limit(lua_State *L, int table, int number, RecipeLimits *limits) {
  enum { WHAT = 1, VALUE, MOST, LEAST };
  if (!lua_istable(L, table)) luaL_error(L, "limit %d must be a table, not a %s", number, luaL_typename(L, table));
  for (int i = WHAT; i <= MOST; i++) lua_rawgeti(L, table, i);
  lua_pushliteral(L, "least");
  lua_rawget(L, table);
  if (lua_type(L, table + WHAT) != LUA_TSTRING) luaL_error(L, "limit %d begins with what it limits, a string", number);
  const char *what = lua_tostring(L, table + WHAT);
  double value = number_of(L, table + VALUE, "the value", number);
  bool has_least = !lua_isnil(L, table + LEAST);
  if (!has_least || !lua_isnil(L, table + MOST))
    add_limit(L, limits, what, value, number_of(L, table + MOST, "the most", number), false);
  if (has_least) add_limit(L, limits, what, value, number_of(L, table + LEAST, "'least'", number), true);
}

static void limits_body(lua_State *L, void *context) {
  Limiting *limiting = context;
  recipe_enter(L);
  lua_pushliteral(L, "limits");
  lua_rawget(L, RECIPE_TABLE);
  recipe_push_values(L, limiting->recipe, limiting->values);
  recipe_push_counted(L, limiting->counted);
  lua_call(L, 2, 1);
  int list = lua_gettop(L);
  if (!lua_istable(L, list)) luaL_error(L, "'limits' must return a list of limits, not a %s", luaL_typename(L, list));
  int count = (int)LS_MIN(lua_rawlen(L, list), (lua_Unsigned)RECIPE_LIMITS + 1);
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, list, i);
    read_limit(L, list + 1, i, limiting->limits);
    lua_settop(L, list);
  }
}

bool recipe_run_limits(const Recipe *recipe, const RecipeValues *values, const RecipeCounted *counted,
                       RecipeLimits *limits, LsErr *err) {
  RecipeScript *owner = recipe->script;
  Limiting limiting = {recipe, values, counted, limits};
  limits->count = 0;
  pthread_mutex_lock(&owner->lock);
  bool ok = script_run(owner->script, LIMITS_BUDGET, limits_body, &limiting, err);
  pthread_mutex_unlock(&owner->lock);
  if (!ok && err) recipe_add_place(owner, err);
  return ok;
}
