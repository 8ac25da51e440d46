// exercise_told.c: the score of a run, patterns in the code, and what an exercise says in its own words.
#include <string.h>

#include "script/exercise_impl.h"
#include "script/fields.h"

enum { TOLD_BUDGET = 10000000, PATTERN_BUDGET = 200000000 };

// ---- score ---------------------------------------------------------------------------------------------------------

typedef struct Scoring { const RecipeCounted *counted; int64_t value; } Scoring;

static void score_body(lua_State *L, void *context) {
  Scoring *scoring = context;
  recipe_enter(L);
  lua_getfield(L, RECIPE_TABLE, "score");
  lua_rawgeti(L, -1, 2);
  recipe_push_counted(L, scoring->counted);
  lua_call(L, 1, 1);
  if (lua_type(L, -1) != LUA_TNUMBER) luaL_error(L, "the score is a number, not a %s", luaL_typename(L, -1));
  scoring->value = (int64_t)lua_tonumber(L, -1);
}

bool exercise_run_score(const Exercise *exercise, const RecipeCounted *counted, int64_t *value, LsErr *err) {
  Scoring scoring = {counted, 0};
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
