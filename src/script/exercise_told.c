// exercise_told.c: the functions of an exercise over the counters of a run, and what it says in its own words.
#include <string.h>

#include "script/exercise_impl.h"
#include "script/fields.h"
#include "script/mod_run.h"

enum { TOLD_BUDGET = 10000000, PATTERN_BUDGET = 200000000 };

static void push_step(lua_State *L, const ExerciseStep *step) {
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

static void push_times(lua_State *L, const ExerciseCounters *counters) {
  lua_pushinteger(L, counters->time);
  lua_setfield(L, -2, "time_ns");
  lua_createtable(L, counters->step_count, 0);
  for (int i = 0; i < counters->step_count; i++) {
    push_step(L, &counters->steps[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "steps");
}

static void push_counters(lua_State *L, const ExerciseCounters *counters) {
  mod_run_push_counters(L, counters->whole);
  lua_createtable(L, counters->launch_count, 0);
  for (int i = 0; i < counters->launch_count; i++) {
    mod_run_push_counters(L, &counters->launches[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "launch");
  if (counters->time >= 0) push_times(L, counters);
}

// ---- limits --------------------------------------------------------------------------------------------------------

typedef struct Limiting {
  const Exercise *exercise;
  const RecipeValues *values;
  const ExerciseCounters *counters;
  ExerciseLimits *out;
} Limiting;

static int64_t whole_number(lua_State *L, int index, const char *what) {
  int exact;
  lua_Integer value = lua_tointegerx(L, index, &exact);
  if (!exact && lua_type(L, index) == LUA_TNUMBER) return (int64_t)lua_tonumber(L, index);   // a share of a sector
  if (!exact) luaL_error(L, "%s is a number, not a %s", what, luaL_typename(L, index));
  return value;
}

// { "load sectors", c.global_load_sectors, most }, or { what, value, least = N }
static void read_limit(lua_State *L, int table, ExerciseLimits *out) {
  if (out->count == EXERCISE_LIMITS) luaL_error(L, "limits returns more than %d", EXERCISE_LIMITS);
  ExerciseLimit *limit = &out->items[out->count++];
  if (!lua_istable(L, table)) luaL_error(L, "limits returns a list of { what, value, most }");
  lua_rawgeti(L, table, 1);
  if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "limit %d has no name", out->count);
  snprintf(limit->what, sizeof limit->what, "%s", lua_tostring(L, -1));
  lua_rawgeti(L, table, 2);
  limit->value = whole_number(L, -1, limit->what);
  limit->is_least = lua_getfield(L, table, "least") != LUA_TNIL;
  if (!limit->is_least) lua_rawgeti(L, table, 3);
  limit->bound = whole_number(L, -1, limit->what);
}

static void limits_body(lua_State *L, void *context) {
  const Limiting *limiting = context;
  limiting->out->count = 0;
  recipe_enter(L);
  if (lua_getfield(L, RECIPE_TABLE, "limits") == LUA_TNIL) return;
  recipe_push_values(L, limiting->exercise->recipe, limiting->values);
  push_counters(L, limiting->counters);
  lua_call(L, 2, 1);
  int list = lua_gettop(L);
  if (!lua_istable(L, list)) luaL_error(L, "limits must return a list, not a %s", luaL_typename(L, list));
  for (int i = 1; i <= (int)lua_rawlen(L, list); i++) {
    lua_rawgeti(L, list, i);
    read_limit(L, list + 1, limiting->out);
    lua_settop(L, list);
  }
}

bool exercise_run_limits(const Exercise *exercise, const RecipeValues *values, const ExerciseCounters *counters,
                         ExerciseLimits *out, LsErr *err) {
  Limiting limiting = {exercise, values, counters, out};
  return exercise_run(exercise, TOLD_BUDGET, limits_body, &limiting, err);
}

// ---- score ---------------------------------------------------------------------------------------------------------

typedef struct Scoring { const ExerciseCounters *counters; int64_t value; } Scoring;

static void score_body(lua_State *L, void *context) {
  Scoring *scoring = context;
  recipe_enter(L);
  lua_getfield(L, RECIPE_TABLE, "score");
  lua_rawgeti(L, -1, 2);
  push_counters(L, scoring->counters);
  lua_call(L, 1, 1);
  scoring->value = whole_number(L, -1, "the score");
}

bool exercise_run_score(const Exercise *exercise, const ExerciseCounters *counters, int64_t *value, LsErr *err) {
  Scoring scoring = {counters, 0};
  bool ok = exercise_run(exercise, TOLD_BUDGET, score_body, &scoring, err);
  *value = scoring.value;
  return ok;
}

// ---- patterns ------------------------------------------------------------------------------------------------------

typedef struct Searching { const char *text, *pattern; size_t length; bool found; } Searching;

static void search_body(lua_State *L, void *context) {
  Searching *searching = context;
  lua_getglobal(L, "string");
  lua_getfield(L, -1, "find");
  lua_pushlstring(L, searching->text, searching->length);
  lua_pushstring(L, searching->pattern);
  lua_call(L, 2, 1);
  searching->found = !lua_isnil(L, -1);
}

bool exercise_run_pattern(const Exercise *exercise, const char *text, size_t length, const char *pattern, bool *found,
                          LsErr *err) {
  Searching searching = {text, pattern, length, false};
  bool ok = exercise_run(exercise, PATTERN_BUDGET, search_body, &searching, err);
  *found = searching.found;
  return ok;
}

// ---- words ---------------------------------------------------------------------------------------------------------

typedef struct Saying {
  const Exercise *exercise;
  const RecipeValues *values;
  const char *key;
  const ExerciseTold *told;
  LsText *out;
} Saying;

static void set_text(lua_State *L, const char *name, const char *text) {
  if (!text) return;
  lua_pushstring(L, text);
  lua_setfield(L, -2, name);
}

static void set_number(lua_State *L, const char *name, int64_t value) {
  if (value < 0) return;
  lua_pushinteger(L, value);
  lua_setfield(L, -2, name);
}

// Numbers as numbers, for arithmetic.
static void set_value(lua_State *L, const char *name, const char *text) {
  if (!text) return;
  if (!lua_stringtonumber(L, text)) lua_pushstring(L, text);
  lua_setfield(L, -2, name);
}

static void push_told(lua_State *L, const ExerciseTold *told) {
  lua_newtable(L);
  set_text(L, "how", told->how);
  set_text(L, "kind", told->kind);
  set_text(L, "message", told->message);
  set_value(L, "got", told->got);
  set_value(L, "want", told->want);
  set_number(L, "value", told->value);
  set_number(L, "most", told->bound);
  set_number(L, "index", told->index);
  if (told->line) set_number(L, "line", told->line);
  if (told->other_line) set_number(L, "other_line", told->other_line);
  lua_pushboolean(L, told->unwritten);
  lua_setfield(L, -2, "unwritten");
}

static void say_body(lua_State *L, void *context) {
  const Saying *saying = context;
  recipe_enter(L);
  if (lua_getfield(L, RECIPE_TABLE, "says") == LUA_TNIL) return;
  int type = lua_getfield(L, -1, saying->key);
  if (type == LUA_TFUNCTION) {
    if (saying->values) recipe_push_values(L, saying->exercise->recipe, saying->values);
    else lua_newtable(L);
    push_told(L, saying->told);
    lua_call(L, 2, 1);
    type = lua_type(L, -1);
  }
  if (type == LUA_TSTRING) ls_text_add(saying->out, lua_tostring(L, -1));
  else if (type != LUA_TNIL) luaL_error(L, "says['%s'] gives a %s, not a text", saying->key, lua_typename(L, type));
}

bool exercise_run_say(const Exercise *exercise, const RecipeValues *values, const char *key, const ExerciseTold *told,
                      LsText *out, LsErr *err) {
  Saying saying = {exercise, values, key, told, out};
  return exercise_run(exercise, TOLD_BUDGET, say_body, &saying, err);
}
