// exercise_case.c: the cases of an exercise: values by name, some of them drawn.
#include <string.h>

#include "base/random.h"
#include "model/arch.h"
#include "script/exercise_impl.h"
#include "script/fields.h"

enum { CASE_BUDGET = 10000000 };

static const char *const flags[] = {"shown", "count", "once", "profile"};

static bool is_flag(const char *name) {
  for (int i = 0; i < LS_COUNT(flags); i++)
    if (strcmp(flags[i], name) == 0) return true;
  return false;
}

// A number for what is drawn: of the case itself, or of its data.
static uint64_t drawn_number(uint64_t seed, int index, int part) {
  uint64_t words[3] = {seed, (uint64_t)index, (uint64_t)part};
  uint64_t number = ls_hash64(words, sizeof words);
  return number ? number : 1;
}

// Pushes the table of a case.
static int push_case(lua_State *L, const Recipe *recipe, uint64_t seed, int index) {
  lua_getfield(L, RECIPE_TABLE, "cases");
  lua_rawgeti(L, -1, index + 1);
  if (lua_isfunction(L, -1)) {
    RecipeValues values = {.drawn = drawn_number(seed, index, 0)};
    recipe_push_draw(L, recipe, &values);
    lua_call(L, 1, 1);
  }
  if (!lua_istable(L, -1)) luaL_error(L, "case %d must be a table, or a function that returns one", index + 1);
  return lua_gettop(L);
}

static int param_of(const Recipe *recipe, const char *name) {
  for (int i = 0; i < recipe->param_count; i++)
    if (strcmp(recipe->params[i].name, name) == 0) return i;
  return -1;
}

static void read_value(lua_State *L, const Recipe *recipe, RecipeValues *values, uint32_t *given, int index) {
  const char *name = lua_tostring(L, -2);
  int param = param_of(recipe, name);
  if (param < 0) luaL_error(L, "case %d has '%s', which case 1 has not", index + 1, name);
  if (!lua_isinteger(L, -1)) luaL_error(L, "case %d: '%s' must be a whole number", index + 1, name);
  values->value[param] = lua_tointeger(L, -1);
  *given |= 1u << param;
}

// The table of a case at a stack index.
static void read_case(lua_State *L, const Recipe *recipe, int table, int index, ExerciseCase *out) {
  uint32_t given = 0;
  char what[32];
  snprintf(what, sizeof what, "case %d", index + 1);
  *out = (ExerciseCase){.shown = field_bool(L, table, "shown", what), .counts = field_bool(L, table, "count", what),
                        .once = field_bool(L, table, "once", what),
                        .profile = field_string_or(L, table, "profile", NULL, what, NULL)};
  const ArchProfile *arch = out->profile ? arch_find(out->profile) : NULL;
  if (out->profile && !arch) luaL_error(L, "%s: there is no profile '%s'", what, out->profile);
  if (arch) out->profile = arch->name;   // which outlives the table
  for (lua_pushnil(L); lua_next(L, table); lua_settop(L, table + 1)) {
    if (lua_type(L, table + 1) != LUA_TSTRING) luaL_error(L, "%s has an item without a name", what);
    if (!is_flag(lua_tostring(L, table + 1))) read_value(L, recipe, &out->values, &given, index);
  }
  for (int i = 0; i < recipe->param_count; i++)
    if (!(given >> i & 1)) luaL_error(L, "%s has no '%s', which case 1 has", what, recipe->params[i].name);
}

// What the first case gives values to, by name in the order of the alphabet.
static void read_params(lua_State *L, ExerciseScript *script, int table) {
  Recipe *recipe = &script->owner.recipe;
  recipe->params = LS_NEW_ARRAY(script->owner.arena, RecipeParam, RECIPE_PARAM_LIMIT);
  for (lua_pushnil(L); lua_next(L, table); lua_settop(L, table + 1)) {
    if (lua_type(L, table + 1) != LUA_TSTRING) luaL_error(L, "case 1 has an item without a name");
    const char *name = lua_tostring(L, table + 1);
    if (is_flag(name)) continue;
    if (recipe->param_count == RECIPE_PARAM_LIMIT) luaL_error(L, "case 1 has more than %d names", RECIPE_PARAM_LIMIT);
    int at = recipe->param_count++;
    while (at > 0 && strcmp(recipe->params[at - 1].name, name) > 0) recipe->params[at] = recipe->params[at - 1], at--;
    recipe->params[at] = (RecipeParam){.name = ls_arena_strdup(script->owner.arena, name), .help = "of the case",
                                       .min = INT64_MIN, .max = INT64_MAX, .step = 1};
  }
}

void exercise_read_cases(lua_State *L, ExerciseScript *script) {
  Recipe *recipe = &script->owner.recipe;
  Exercise *e = &script->exercise;
  ExerciseCase item;
  if (field_push(L, RECIPE_TABLE, "cases", LUA_TTABLE, "the exercise") == LUA_TNIL)
    luaL_error(L, "the exercise has no field 'cases'");
  e->case_count = (int)LS_MIN(lua_rawlen(L, -1), (lua_Unsigned)EXERCISE_CASES + 1);
  if (!e->case_count || e->case_count > EXERCISE_CASES)
    luaL_error(L, "the exercise has 1 to %d cases", EXERCISE_CASES);
  lua_settop(L, RECIPE_TABLE);
  read_params(L, script, push_case(L, recipe, 0, 0));
  for (int i = 0; i < e->case_count; i++) {
    lua_settop(L, RECIPE_TABLE);
    int table = push_case(L, recipe, 0, i);
    read_case(L, recipe, table, i, &item);
    if (i == 0)
      for (int k = 0; k < recipe->param_count; k++) recipe->params[k].fallback = item.values.value[k];
  }
  lua_settop(L, RECIPE_TABLE);
}

typedef struct Drawing { const Exercise *exercise; uint64_t seed; int index; ExerciseCase *out; } Drawing;

static void case_body(lua_State *L, void *context) {
  const Drawing *drawing = context;
  recipe_enter(L);
  int table = push_case(L, drawing->exercise->recipe, drawing->seed, drawing->index);
  read_case(L, drawing->exercise->recipe, table, drawing->index, drawing->out);
}

bool exercise_run_case(const Exercise *exercise, uint64_t seed, int index, ExerciseCase *out, LsErr *err) {
  Drawing drawing = {exercise, seed, index, out};
  if (!exercise_run(exercise, CASE_BUDGET, case_body, &drawing, err)) return false;
  out->values.drawn = drawn_number(seed, index, 1);
  return true;
}

// ---- host calls ----------------------------------------------------------------------------------------------------

typedef struct Keeping { const char *text; uint64_t id; } Keeping;

static void keep_body(lua_State *L, void *context) {
  const Keeping *keeping = context;
  lua_getfield(L, LUA_REGISTRYINDEX, "texts");
  lua_pushstring(L, keeping->text);
  lua_rawseti(L, -2, (lua_Integer)keeping->id);
}

bool exercise_run_keep_text(const Exercise *exercise, const char *text, uint64_t *id, LsErr *err) {
  uint64_t hash = ls_hash64(text, strlen(text));
  Keeping keeping = {text, hash ? hash : 1};
  *id = keeping.id;
  return exercise_run(exercise, CASE_BUDGET, keep_body, &keeping, err);
}
