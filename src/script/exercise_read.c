// exercise_read.c: from the table that exercise.lua returns to an Exercise, with every field checked.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model/arch.h"
#include "script/exercise_impl.h"
#include "script/fields.h"

enum { ORDERS = 4, BUDGET = 1 << 24, LIST_LIMIT = 64 };
static const char what[] = "the exercise";
static const char *const fields[] = {"name", "title", "lessons", "teaches", "kernels", "statement", "numbers", "cases",
                                     "launch", "sequence", "check", "limits", "rules", "says", "tips", "others",
                                     "wrong", "score", "profile", "seeds", "budget", "warnings", "arch", "kernel",
                                     "given", NULL};

// ---- what is run ---------------------------------------------------------------------------------------------------

// "scale" of "void scale(float *y, const float *x, float a)".
static const char *kernel_name(lua_State *L, LsArena *arena, const char *signature) {
  const char *open = strchr(signature, '('), *end = open;
  while (end && end > signature && isspace((unsigned char)end[-1])) end--;
  const char *begin = end;
  while (begin && begin > signature && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_')) begin--;
  if (!begin || begin == end) luaL_error(L, "%s: kernels has the signature '%s', without a name", what, signature);
  return ls_arena_strndup(arena, begin, (size_t)(end - begin));
}

static void read_kernels(lua_State *L, ExerciseScript *script) {
  Exercise *e = &script->exercise;
  e->kernels = field_list(L, RECIPE_TABLE, "kernels", what, script->owner.arena, &e->kernel_count, NULL);
  if (!e->kernel_count) luaL_error(L, "%s has no field 'kernels'", what);
  for (int i = 0; i < e->kernel_count; i++) kernel_name(L, script->owner.arena, e->kernels[i]);
  lua_pushstring(L, kernel_name(L, script->owner.arena, e->kernels[0]));
  lua_setfield(L, RECIPE_TABLE, "kernel");
}

static void read_what_runs(lua_State *L, Recipe *recipe) {
  lua_pushliteral(L, "sequence");
  bool is_program = lua_rawget(L, RECIPE_TABLE) != LUA_TNIL;
  lua_pop(L, 1);
  field_function(L, RECIPE_TABLE, is_program ? "sequence" : "launch", what);
  field_function(L, RECIPE_TABLE, "check", what);
  recipe->launch = is_program ? NULL : recipe_run_launch;
  recipe->sequence = is_program ? recipe_run_sequence : NULL;
  recipe->host = is_program ? recipe_run_host : NULL;
}

static void read_orders(lua_State *L, Exercise *e) {
  static const uint64_t usual[ORDERS] = {0, 1, 2, 7};
  memcpy(e->orders, usual, sizeof usual);
  e->order_count = ORDERS;
  if (field_push(L, RECIPE_TABLE, "seeds", LUA_TTABLE, what) != LUA_TNIL) {
    e->order_count = (int)lua_rawlen(L, -1);
    if (e->order_count < 1 || e->order_count > EXERCISE_ORDERS)
      luaL_error(L, "%s: seeds are 1 to %d whole numbers", what, EXERCISE_ORDERS);
    for (int i = 0; i < e->order_count; i++) {
      lua_rawgeti(L, -1, i + 1);
      e->orders[i] = (uint64_t)luaL_checkinteger(L, -1);
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
}

static void read_options(lua_State *L, ExerciseScript *script) {
  Exercise *e = &script->exercise;
  read_orders(L, e);
  e->profile = field_string_or(L, RECIPE_TABLE, "profile", "h200", what, script->owner.arena);
  if (!arch_find(e->profile)) luaL_error(L, "%s: there is no profile '%s'", what, e->profile);
  e->budget = (uint64_t)field_integer_or(L, RECIPE_TABLE, "budget", BUDGET, what);
  recipe_read_arch(L, &script->owner.recipe);
}

static void add_remark(lua_State *L, Exercise *e, const char *name) {
  for (int i = 0; i < FAULT_KIND_COUNT; i++) {
    if (strcmp(trace_fault_name((FaultKind)i), name) != 0) continue;
    e->remarks |= 1ull << i;
    return;
  }
  luaL_error(L, "%s: warnings names '%s', which is no kind of fault", what, name);
}

// warnings = true: all of them count. warnings = { "kind" }: these, also where they are notes.
static void read_warnings(lua_State *L, ExerciseScript *script) {
  int count, type = lua_getfield(L, RECIPE_TABLE, "warnings");
  script->exercise.warnings = type == LUA_TBOOLEAN && lua_toboolean(L, -1);
  lua_pop(L, 1);
  if (type == LUA_TBOOLEAN) return;
  const char **names = field_list(L, RECIPE_TABLE, "warnings", what, script->owner.arena, &count, NULL);
  for (int i = 0; i < count; i++) add_remark(L, &script->exercise, names[i]);
}

// ---- rules ---------------------------------------------------------------------------------------------------------

// "pattern", or { "name", "pattern" }.
static void read_rule(lua_State *L, ExerciseScript *script, bool forbidden) {
  Exercise *e = &script->exercise;
  LsArena *arena = script->owner.arena;
  int at = lua_gettop(L);
  bool named = lua_istable(L, at);
  if (named) lua_rawgeti(L, at, 1), lua_rawgeti(L, at, 2);
  else lua_pushvalue(L, at), lua_pushvalue(L, at);
  if (lua_type(L, -1) != LUA_TSTRING || lua_type(L, -2) != LUA_TSTRING)
    luaL_error(L, "%s: a rule is a pattern, or { \"name\", \"pattern\" }", what);
  if (e->rule_count == LIST_LIMIT) luaL_error(L, "%s has more than %d rules", what, LIST_LIMIT);
  e->rules[e->rule_count++] = (ExerciseRule){ls_arena_strdup(arena, lua_tostring(L, -2)),
                                             ls_arena_strdup(arena, lua_tostring(L, -1)), forbidden};
  lua_settop(L, at);
}

static void read_rules(lua_State *L, ExerciseScript *script) {
  static const char *const names[] = {"shared_bytes", "has", "has_not", NULL};
  Exercise *e = &script->exercise;
  e->shared_bytes = -1;
  e->rules = LS_NEW_ARRAY(script->owner.arena, ExerciseRule, LIST_LIMIT);
  if (field_push(L, RECIPE_TABLE, "rules", LUA_TTABLE, what) == LUA_TNIL) {
    lua_pop(L, 1);
    return;
  }
  int rules = lua_gettop(L);
  field_check_names(L, rules, names, "rules");
  e->shared_bytes = field_integer_or(L, rules, "shared_bytes", -1, "rules");
  for (int i = 1; names[i]; i++) {
    bool given = field_push(L, rules, names[i], LUA_TTABLE, "rules") != LUA_TNIL;
    for (int k = 1; given && k <= (int)lua_rawlen(L, rules + 1); k++) {
      lua_rawgeti(L, rules + 1, k);
      read_rule(L, script, i == 2);
      lua_settop(L, rules + 1);
    }
    lua_settop(L, rules);
  }
  lua_pop(L, 1);
}

// ---- further files -------------------------------------------------------------------------------------------------

static int by_name(const void *a, const void *b) {
  return strcmp(((const ExerciseFile *)a)->name, ((const ExerciseFile *)b)->name);
}

// others = { alt_1 = "text" }; wrong = { wrong_1 = { by = ..., what = ..., says = ... } }.
static ExerciseFile *read_files(lua_State *L, ExerciseScript *script, const char *field, int *count) {
  static const char *const names[] = {"by", "what", "says", NULL};
  LsArena *arena = script->owner.arena;
  ExerciseFile *files = LS_NEW_ARRAY(arena, ExerciseFile, LIST_LIMIT);
  *count = 0;
  if (field_push(L, RECIPE_TABLE, field, LUA_TTABLE, what) != LUA_TNIL) {
    int list = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, list); lua_settop(L, list + 1)) {
      if (lua_type(L, list + 1) != LUA_TSTRING) luaL_error(L, "%s: %s is by the names of files", what, field);
      if (*count == LIST_LIMIT) luaL_error(L, "%s: %s has more than %d files", what, field, LIST_LIMIT);
      ExerciseFile *file = &files[(*count)++];
      *file = (ExerciseFile){.name = ls_arena_strdup(arena, lua_tostring(L, list + 1))};
      const char *which = ls_arena_format(arena, "%s.%s", field, file->name);
      if (lua_type(L, list + 2) == LUA_TSTRING) {
        file->what = ls_arena_strdup(arena, lua_tostring(L, list + 2));
        continue;
      }
      if (!lua_istable(L, list + 2)) luaL_error(L, "%s must be a table { by = ..., what = ..., says = ... }", which);
      field_check_names(L, list + 2, names, which);
      file->by = field_string(L, list + 2, "by", which, arena);
      file->what = field_string_or(L, list + 2, "what", NULL, which, arena);
      file->says = field_string_or(L, list + 2, "says", NULL, which, arena);
    }
    if (*count) qsort(files, (size_t)*count, sizeof *files, by_name);
  }
  lua_settop(L, RECIPE_TABLE);
  return files;
}

static void read_score(lua_State *L, ExerciseScript *script) {
  if (field_push(L, RECIPE_TABLE, "score", LUA_TTABLE, what) != LUA_TNIL) {
    lua_rawgeti(L, -1, 1);
    lua_rawgeti(L, -2, 2);
    if (lua_type(L, -2) != LUA_TSTRING || !lua_isfunction(L, -1))
      luaL_error(L, "%s: score is { \"what is counted\", function(c) ... end }", what);
    script->exercise.score = ls_arena_strdup(script->owner.arena, lua_tostring(L, -2));
  }
  lua_settop(L, RECIPE_TABLE);
}

// ---- the whole -----------------------------------------------------------------------------------------------------

static void read_texts(lua_State *L, ExerciseScript *script, const char *folder_name) {
  Exercise *e = &script->exercise;
  LsArena *arena = script->owner.arena;
  const char *own = folder_name + strspn(folder_name, "0123456789") + 1;
  e->id = ls_arena_strndup(arena, folder_name, strspn(folder_name, "0123456789"));
  e->name = field_string(L, RECIPE_TABLE, "name", what, arena);
  if (strcmp(e->name, own) != 0) luaL_error(L, "%s calls itself '%s' but its folder is %s", what, e->name, folder_name);
  e->given = field_string_or(L, RECIPE_TABLE, "given", NULL, what, arena);
  if (e->given && (strchr(e->given, '/') || !ls_ends_with(e->given, ".cu")))
    luaL_error(L, "%s: given is the name of a .cu file beside it", what);
  e->title = field_string(L, RECIPE_TABLE, "title", what, arena);
  e->teaches = field_string(L, RECIPE_TABLE, "teaches", what, arena);
  e->statement = field_string(L, RECIPE_TABLE, "statement", what, arena);
  e->numbers = field_string_or(L, RECIPE_TABLE, "numbers", "", what, arena);
  e->lessons = field_list(L, RECIPE_TABLE, "lessons", what, arena, &e->lesson_count, NULL);
  e->tips = field_list(L, RECIPE_TABLE, "tips", what, arena, &e->tip_count, NULL);
  if (!e->tip_count) luaL_error(L, "%s has no field 'tips'", what);
}

static void fill_recipe(ExerciseScript *script) {
  Recipe *recipe = &script->owner.recipe;
  const Exercise *e = &script->exercise;
  LsArena *arena = script->owner.arena;
  recipe->name = e->name;
  recipe->id = e->id;
  recipe->title = e->title;
  recipe->about = e->teaches;
  recipe->topic = "practice";
  recipe->lessons = e->lessons;
  recipe->lesson_count = e->lesson_count;
  recipe->forms = LS_NEW(arena, RecipeForm);
  recipe->forms[0] = (RecipeForm){.source = e->given ? e->given : ls_arena_format(arena, "%s.cu", e->name)};
  recipe->form_count = 1;
}

void exercise_read(lua_State *L, ExerciseScript *script, const char *folder_name) {
  Exercise *e = &script->exercise;
  field_check_names(L, RECIPE_TABLE, fields, what);
  read_texts(L, script, folder_name);
  read_kernels(L, script);
  read_what_runs(L, &script->owner.recipe);
  read_options(L, script);
  read_warnings(L, script);
  read_rules(L, script);
  bool is_limited = field_push(L, RECIPE_TABLE, "limits", LUA_TFUNCTION, what) != LUA_TNIL;
  if (is_limited) script->owner.recipe.limits = recipe_run_limits;
  field_push(L, RECIPE_TABLE, "says", LUA_TTABLE, what);
  lua_settop(L, RECIPE_TABLE);
  e->others = read_files(L, script, "others", &e->other_count);
  e->wrongs = read_files(L, script, "wrong", &e->wrong_count);
  read_score(L, script);
  fill_recipe(script);
  exercise_read_cases(L, script);
}
