// recipe_read.c: from the table that kernels/NAME.lua returns to a Recipe, with every field checked.
#include <ctype.h>
#include <string.h>

#include "script/fields.h"
#include "script/recipe_impl.h"

static const char what_recipe[] = "the recipe";
static const char *const recipe_fields[] = {"name", "id", "title", "about", "topic", "lessons", "source", "kernel",
                                            "params", "lecture", "timing", "expect", "forms", "arch",
                                            "cut", "partners", "model", "values", "launch", "sequence", "check",
                                            "cases", "limits", NULL};
static const char *const param_fields[] = {"name", "default", "values", "min", "max", "scale", "step", "help", NULL};

void recipe_enter(lua_State *L) {
  lua_pushliteral(L, "recipe");
  lua_rawget(L, LUA_REGISTRYINDEX);
}

static bool is_identifier(const char *name) {
  if (!isalpha((unsigned char)*name) && *name != '_') return false;
  for (; *name; name++)
    if (!isalnum((unsigned char)*name) && *name != '_') return false;
  return true;
}

// A choice has no blanks, so that -p NAME=CHOICE needs no quotes and parameters print as one word each.
static void check_choices(lua_State *L, const RecipeParam *param, const char *what) {
  for (int i = 0; i < param->choice_count; i++) {
    if (strpbrk(param->choices[i], " \t\n=") || !*param->choices[i])
      luaL_error(L, "%s: the choice '%s' has a blank or '=' in it", what, param->choices[i]);
    for (int k = 0; k < i; k++)
      if (strcmp(param->choices[i], param->choices[k]) == 0)
        luaL_error(L, "%s lists '%s' twice", what, param->choices[i]);
  }
}

static int64_t choice_index(const RecipeParam *param, const char *text) {
  for (int i = 0; i < param->choice_count; i++)
    if (strcmp(param->choices[i], text) == 0) return i;
  return -1;
}

static void read_choice_param(lua_State *L, int table, RecipeParam *param, const char *what) {
  if (field_push(L, table, "min", LUA_TNUMBER, what) != LUA_TNIL ||
      field_push(L, table, "max", LUA_TNUMBER, what) != LUA_TNIL)
    luaL_error(L, "%s has both 'values' and a range: choose one", what);
  check_choices(L, param, what);
  lua_getfield(L, table, "default");
  const char *text = luaL_tolstring(L, -1, NULL);
  param->fallback = choice_index(param, text);
  if (param->fallback < 0) luaL_error(L, "%s: the default %s is not one of its values", what, text);
  param->min = 0;
  param->max = param->choice_count - 1;
}

static void read_range_param(lua_State *L, int table, RecipeParam *param, const char *what) {
  param->min = field_integer(L, table, "min", what);
  param->max = field_integer(L, table, "max", what);
  param->fallback = field_integer(L, table, "default", what);
  if (param->min > param->max)
    luaL_error(L, "%s: its least value %I is above its greatest %I", what, (LUAI_UACINT)param->min,
               (LUAI_UACINT)param->max);
  if (param->fallback < param->min || param->fallback > param->max)
    luaL_error(L, "%s: the default %I is outside of %I to %I", what, (LUAI_UACINT)param->fallback,
               (LUAI_UACINT)param->min, (LUAI_UACINT)param->max);
}

static void read_param(lua_State *L, int table, RecipeParam *param, LsArena *arena, int number) {
  int top = lua_gettop(L);
  const char *what = ls_arena_format(arena, "parameter %d", number);
  param->name = field_string(L, table, "name", what, arena);
  what = ls_arena_format(arena, "parameter '%s'", param->name);
  if (!is_identifier(param->name)) luaL_error(L, "%s: a name has letters, digits and _ only", what);
  field_check_names(L, table, param_fields, what);
  param->help = field_string(L, table, "help", what, arena);
  bool numbers = false;
  param->choices = field_list(L, table, "values", what, arena, &param->choice_count, &numbers);
  param->is_text = param->choice_count > 0 && !numbers;
  if (param->choices && !param->choice_count) luaL_error(L, "%s has no values", what);
  if (param->choices) read_choice_param(L, table, param, what);
  else read_range_param(L, table, param, what);
  const char *scale = field_string_or(L, table, "scale", "linear", what, NULL);
  param->log2 = strcmp(scale, "log2") == 0;
  if (!param->log2 && strcmp(scale, "linear") != 0)
    luaL_error(L, "%s: scale is \"linear\" or \"log2\", not \"%s\"", what, scale);
  param->step = field_integer_or(L, table, "step", 1, what);
  if (param->step < 1) luaL_error(L, "%s: the step must be at least 1", what);
  lua_settop(L, top);
}

static void read_params(lua_State *L, RecipeScript *owner) {
  Recipe *recipe = &owner->recipe;
  if (field_push(L, RECIPE_TABLE, "params", LUA_TTABLE, what_recipe) == LUA_TNIL) {
    if (!recipe->folder) luaL_error(L, "%s has no field 'params'", what_recipe);
    recipe->params = LS_NEW_ARRAY(owner->arena, RecipeParam, 1);
    lua_pop(L, 1);
    return;
  }
  int list = lua_gettop(L);
  lua_Unsigned count = lua_rawlen(L, list);
  if (count > RECIPE_PARAM_LIMIT) luaL_error(L, "%s has more than %d parameters", what_recipe, RECIPE_PARAM_LIMIT);
  recipe->params = LS_NEW_ARRAY(owner->arena, RecipeParam, count + 1);
  for (int i = 0; i < (int)count; i++) {
    if (lua_rawgeti(L, list, i + 1) != LUA_TTABLE) luaL_error(L, "parameter %d must be a table", i + 1);
    read_param(L, list + 1, &recipe->params[i], owner->arena, i + 1);
    lua_settop(L, list);
    for (int k = 0; k < i; k++)
      if (strcmp(recipe->params[k].name, recipe->params[i].name) == 0)
        luaL_error(L, "two parameters are called '%s'", recipe->params[i].name);
    recipe->param_count++;
  }
  lua_pop(L, 1);
}

// One value of a table of sizes, at the top of the stack, by the same rules as -p.
static void read_value(lua_State *L, const Recipe *recipe, RecipeValues *values, const char *name, const char *field) {
  char assignment[256];
  LsErr err = {0};
  snprintf(assignment, sizeof assignment, "%s=%s", name, luaL_tolstring(L, -1, NULL));
  lua_pop(L, 1);
  if (!recipe_set(recipe, values, assignment, &err)) luaL_error(L, "field '%s': %s", field, err.message);
}

void recipe_read_values(lua_State *L, const Recipe *recipe, RecipeValues *values, const char *field) {
  int table = lua_gettop(L);
  recipe_defaults(recipe, values);
  if (!lua_istable(L, table)) luaL_error(L, "field '%s' must be a table of values by name", field);
  for (lua_pushnil(L); lua_next(L, table); lua_settop(L, table + 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) luaL_error(L, "field '%s' gives values by name", field);
    read_value(L, recipe, values, lua_tostring(L, -2), field);
  }
}

// cut = "written": how it is meant to be seen where nobody says --code.
static void read_cut(lua_State *L, Recipe *recipe) {
  const char *cut = field_string_or(L, RECIPE_TABLE, "cut", NULL, what_recipe, NULL);
  recipe->cut_given = cut != NULL;
  recipe->is_compiled = cut && strcmp(cut, "compiled") == 0;
  if (cut && !recipe->is_compiled && strcmp(cut, "written") != 0)
    luaL_error(L, "%s: cut is \"written\" or \"compiled\", not \"%s\"", what_recipe, cut);
}

static void add_arch(lua_State *L, Recipe *recipe, int at) {
  enum { LEAST = 50, MOST = 129 };
  int exact, before = recipe->arch_count ? recipe->archs[recipe->arch_count - 1] : 0;
  lua_Integer arch = lua_tointegerx(L, at, &exact);
  if (!exact || arch < LEAST || arch > MOST)
    luaL_error(L, "%s: 'arch' is a compute capability without its point, like 75, 80 or 90, or a list of them", what_recipe);
  if (arch <= before) luaL_error(L, "%s: 'arch' lists capabilities from the least on: %I is behind %d", what_recipe,
                                 (LUAI_UACINT)arch, before);
  if (recipe->arch_count == RECIPE_ARCHS) luaL_error(L, "%s: 'arch' has more than %d", what_recipe, RECIPE_ARCHS);
  recipe->archs[recipe->arch_count++] = (int)arch;
}

// arch = 80, or arch = { 75, 80 }: one PTX each, of which a device takes the highest that it has.
void recipe_read_arch(lua_State *L, Recipe *recipe) {
  int type = lua_getfield(L, RECIPE_TABLE, "arch"), at = lua_gettop(L);
  int count = type == LUA_TTABLE ? (int)LS_MIN(lua_rawlen(L, at), (lua_Unsigned)RECIPE_ARCHS + 1) : 0;
  if (type != LUA_TNIL && type != LUA_TTABLE) add_arch(L, recipe, at);
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, at, i);
    add_arch(L, recipe, at + 1);
    lua_settop(L, at);
  }
  lua_pop(L, 1);
}

// One kernel and its launch, or a sequence of steps.
static void read_what_runs(lua_State *L, Recipe *recipe) {
  lua_pushliteral(L, "sequence");
  bool is_program = lua_rawget(L, RECIPE_TABLE) != LUA_TNIL;
  lua_pop(L, 1);
  if (!is_program) {
    field_function(L, RECIPE_TABLE, "launch", what_recipe);
    return;
  }
  field_function(L, RECIPE_TABLE, "sequence", what_recipe);
  for (const char *const *name = (const char *const[]){"launch", "kernel", NULL}; *name; name++) {
    lua_pushstring(L, *name);
    if (lua_rawget(L, RECIPE_TABLE) != LUA_TNIL)
      luaL_error(L, "%s has both a 'sequence' and '%s': the steps of a sequence name their kernels", what_recipe, *name);
    lua_pop(L, 1);
  }
  recipe->launch = NULL;
  recipe->sequence = recipe_run_sequence;
  recipe->host = recipe_run_host;
}

enum { PARTNER_LIMIT = 16, TAKE_LIMIT = RECIPE_PARAM_LIMIT };

// { name = "gputiled", take = { Ay = "Width" } }: its Ay is our Width.
static void read_partner(lua_State *L, int table, RecipeScript *owner, RecipePartner *partner, const char *what) {
  static const char *const fields[] = {"name", "take", NULL};
  const Recipe *recipe = &owner->recipe;
  partner->name = field_string(L, table, "name", what, owner->arena);
  field_check_names(L, table, fields, what);
  if (field_push(L, table, "take", LUA_TTABLE, what) == LUA_TNIL) return;
  partner->take = LS_NEW_ARRAY(owner->arena, RecipeTake, TAKE_LIMIT);
  int list = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, list); lua_settop(L, list + 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TSTRING)
      luaL_error(L, "%s: 'take' gives names of our parameters by names of its", what);
    const char *ours = lua_tostring(L, -1);
    bool known = false;
    for (int i = 0; i < recipe->param_count; i++) known |= strcmp(recipe->params[i].name, ours) == 0;
    if (!known) luaL_error(L, "%s: 'take' names '%s', which is none of our parameters", what, ours);
    if (partner->take_count == TAKE_LIMIT) luaL_error(L, "%s: 'take' has more than %d", what, TAKE_LIMIT);
    partner->take[partner->take_count++] = (RecipeTake){ls_arena_strdup(owner->arena, lua_tostring(L, -2)),
                                                        ls_arena_strdup(owner->arena, ours)};
  }
}

// partners = { "matmul_naive", { name = ..., take = ... } }
static void read_partners(lua_State *L, RecipeScript *owner) {
  Recipe *recipe = &owner->recipe;
  if (field_push(L, RECIPE_TABLE, "partners", LUA_TTABLE, what_recipe) != LUA_TNIL) {
    int list = lua_gettop(L), count = (int)LS_MIN(lua_rawlen(L, list), (lua_Unsigned)PARTNER_LIMIT + 1);
    if (count > PARTNER_LIMIT) luaL_error(L, "%s has more than %d partners", what_recipe, PARTNER_LIMIT);
    recipe->partners = LS_NEW_ARRAY(owner->arena, RecipePartner, (size_t)count + 1);
    for (int i = 1; i <= count; i++) {
      const char *what = ls_arena_format(owner->arena, "partner %d", i);
      int type = lua_rawgeti(L, list, i);
      RecipePartner *partner = &recipe->partners[recipe->partner_count++];
      if (type == LUA_TSTRING) partner->name = ls_arena_strdup(owner->arena, lua_tostring(L, -1));
      else if (type == LUA_TTABLE) read_partner(L, list + 1, owner, partner, what);
      else luaL_error(L, "%s must be the name of a recipe, or { name = ..., take = ... }", what);
      if (strcmp(partner->name, recipe->name) == 0) luaL_error(L, "%s is '%s' itself", what, recipe->name);
      lua_settop(L, list);
    }
  }
  lua_pop(L, 1);
}

// A field that lanescope's own kernels must have for the catalog, and somebody's own need not.
static const char *catalog_field(lua_State *L, const RecipeScript *owner, const char *name, const char *fallback) {
  if (!owner->recipe.folder) return field_string(L, RECIPE_TABLE, name, what_recipe, owner->arena);
  return field_string_or(L, RECIPE_TABLE, name, fallback, what_recipe, owner->arena);
}

void recipe_read(lua_State *L, RecipeScript *owner, const char *stem) {
  Recipe *recipe = &owner->recipe;
  LsArena *arena = owner->arena;
  field_check_names(L, RECIPE_TABLE, recipe_fields, what_recipe);
  recipe->name = catalog_field(L, owner, "name", ls_arena_strdup(arena, stem));
  if (strcmp(recipe->name, stem) != 0)
    luaL_error(L, "%s calls itself '%s' but its file is %s.lua", what_recipe, recipe->name, stem);
  recipe->id = catalog_field(L, owner, "id", "");
  recipe->title = catalog_field(L, owner, "title", recipe->name);
  recipe->about = catalog_field(L, owner, "about", "");
  recipe->topic = catalog_field(L, owner, "topic", "");
  recipe->lessons = field_list(L, RECIPE_TABLE, "lessons", what_recipe, arena, &recipe->lesson_count, NULL);
  if (recipe_read_model(L, owner, what_recipe)) return;
  read_what_runs(L, recipe);
  field_function(L, RECIPE_TABLE, "check", what_recipe);
  read_params(L, owner);
  recipe_read_forms(L, owner, what_recipe);
  recipe_read_places(L, recipe);
  recipe_read_sizes(L, recipe);
  recipe_read_tests(L, owner, what_recipe);
  read_partners(L, owner);
  read_cut(L, recipe);
  recipe_read_arch(L, recipe);
}

void recipe_push_values(lua_State *L, const Recipe *recipe, const RecipeValues *values) {
  lua_createtable(L, 0, recipe->param_count);
  for (int i = 0; i < recipe->param_count; i++) {
    const RecipeParam *param = &recipe->params[i];
    int64_t value = values->value[i];
    if (value < param->min || value > param->max)
      luaL_error(L, "parameter %s has the value %I, outside of its range", param->name, (LUAI_UACINT)value);
    if (!param->choice_count) lua_pushinteger(L, value);
    else lua_pushstring(L, param->choices[value]);
    if (param->choice_count && !param->is_text) {
      int64_t number = 0;
      ls_parse_i64(param->choices[value], &number);
      lua_pop(L, 1);
      lua_pushinteger(L, number);
    }
    lua_setfield(L, -2, param->name);
  }
}

int recipe_push_draw(lua_State *L, const Recipe *recipe, const RecipeValues *values) {
  if (!recipe->is_exercise) return 0;
  lua_pushliteral(L, "draw");
  lua_rawget(L, LUA_REGISTRYINDEX);
  lua_pushstring(L, recipe->name);
  lua_pushinteger(L, (lua_Integer)values->drawn);
  lua_call(L, 2, 1);
  if (!values->text) return 1;
  lua_getfield(L, LUA_REGISTRYINDEX, "texts");
  lua_rawgeti(L, -1, (lua_Integer)values->text);
  lua_remove(L, -2);
  return 2;
}
