// recipe_check.c: runs a recipe's host reference over the buffers of a run.
#include <stdlib.h>
#include <string.h>

#include "script/mod_buffer.h"
#include "script/recipe_impl.h"

// Instructions of a check: room for the serial reference of the lecture's largest sizes, and a loop without an end is
// over in a second or two where there is little to compare.
enum { CHECK_BUDGET = 200000000, ELEMENT_BUDGET = 256, LARGEST_BUDGET = 1000000000 };

typedef struct Checking {
  const Recipe *recipe;
  const RecipeValues *values;
  const RecipeRun *run;
  uint8_t **inputs;                // one per argument, filled when asked for; freed at the end
  bool right;
  char message[512];
} Checking;

static int find_buffer(lua_State *L, const Checking *checking) {
  const char *name = luaL_checkstring(L, 1);
  const Launch *launch = checking->run->launch;
  for (int i = 0; i < launch->arg_count; i++) {
    const LaunchArg *arg = &launch->args[i];
    if (arg->is_buffer && arg->name && strcmp(arg->name, name) == 0) return i;
  }
  return luaL_error(L, "the launch has no buffer '%s'", name);
}

static const uint8_t *input_of(lua_State *L, Checking *checking, int index) {
  const LaunchArg *arg = &checking->run->launch->args[index];
  if (checking->inputs[index]) return checking->inputs[index];
  checking->inputs[index] = ls_alloc((size_t)arg->count * (size_t)launch_type_size(arg->type));
  if (!launch_fill(arg, checking->inputs[index]) && !checking->recipe->is_exercise)   // there it is zeros
    luaL_error(L, "buffer '%s' holds nothing before the launch (init \"none\")", arg->name);
  return checking->inputs[index];
}

static int l_input(lua_State *L) {
  Checking *checking = lua_touserdata(L, lua_upvalueindex(1));
  int index = find_buffer(L, checking);
  const LaunchArg *arg = &checking->run->launch->args[index];
  mod_buffer_push(L, arg->name, arg->type, input_of(L, checking, index), arg->count, false);
  return 1;
}

static int l_output(lua_State *L) {
  Checking *checking = lua_touserdata(L, lua_upvalueindex(1));
  int index = find_buffer(L, checking);
  const LaunchArg *arg = &checking->run->launch->args[index];
  uint64_t size = 0;
  const uint8_t *bytes = checking->run->output(checking->run->context, index, &size);
  if (!bytes) return luaL_error(L, "the run left no buffer '%s'", arg->name);
  mod_buffer_push(L, arg->name, arg->type, bytes, LS_MIN(arg->count, size / (uint64_t)launch_type_size(arg->type)),
                  false);
  if (checking->recipe->is_exercise) mod_buffer_set_before(L, input_of(L, checking, index));
  return 1;
}

// What a serial loop over the buffer makes, as it was before the launch: in double, from element 0 on.
static int l_host_sum(lua_State *L) {
  Checking *checking = lua_touserdata(L, lua_upvalueindex(1));
  int index = find_buffer(L, checking);
  const LaunchArg *arg = &checking->run->launch->args[index];
  const uint8_t *bytes = input_of(L, checking, index);
  uint64_t size = (uint64_t)launch_type_size(arg->type);
  double sum = 0;
  for (uint64_t i = 0; i < arg->count; i++) {
    uint64_t bits = 0;
    memcpy(&bits, bytes + i * size, size);
    sum += launch_value(arg->type, bits);
  }
  lua_pushnumber(L, sum);
  return 1;
}

static void push_run(lua_State *L, Checking *checking) {
  lua_createtable(L, 0, 3);
  lua_pushlightuserdata(L, checking);
  lua_pushcclosure(L, l_input, 1);
  lua_setfield(L, -2, "input");
  lua_pushlightuserdata(L, checking);
  lua_pushcclosure(L, l_output, 1);
  lua_setfield(L, -2, "output");
  lua_pushlightuserdata(L, checking);
  lua_pushcclosure(L, l_host_sum, 1);
  lua_setfield(L, -2, "host_sum");
}

static void check_body(lua_State *L, void *context) {
  Checking *checking = context;
  recipe_enter(L);
  mod_expect_forget(L);
  lua_getfield(L, RECIPE_TABLE, "check");
  recipe_push_values(L, checking->recipe, checking->values);
  push_run(L, checking);
  lua_call(L, 2, 2);
  if (!lua_isboolean(L, -2))
    luaL_error(L, "check must return true, or false and a message, not a %s", luaL_typename(L, -2));
  checking->right = lua_toboolean(L, -2);
  const char *message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : mod_expect_said(L);
  if (!message) message = "the result is wrong";
  strncpy(checking->message, message, sizeof checking->message - 1);
}

static int64_t check_budget(const Launch *launch) {
  uint64_t elements = 0;
  for (int i = 0; i < launch->arg_count; i++)
    if (launch->args[i].is_buffer) elements += LS_MIN(launch->args[i].count, LARGEST_BUDGET);
  return (int64_t)LS_MIN(CHECK_BUDGET + elements * ELEMENT_BUDGET, LARGEST_BUDGET);
}

bool recipe_run_check(const Recipe *recipe, const RecipeValues *values, const RecipeRun *run, LsErr *err) {
  RecipeScript *owner = recipe->script;
  Checking checking = {.recipe = recipe, .values = values, .run = run};
  checking.inputs = ls_alloc(sizeof *checking.inputs * (size_t)LS_MAX(run->launch->arg_count, 1));
  pthread_mutex_lock(&owner->lock);
  owner->script->cancel = run->cancel;
  bool ok = script_run(owner->script, check_budget(run->launch), check_body, &checking, err);
  bool canceled = owner->script->spent == script_canceled;
  owner->script->cancel = NULL;
  pthread_mutex_unlock(&owner->lock);
  for (int i = 0; i < run->launch->arg_count; i++) free(checking.inputs[i]);
  free(checking.inputs);
  if (canceled) return ls_fail(err, LS_ECANCEL, "the check was canceled");
  if (!ok) return false;
  return checking.right || ls_fail(err, LS_EFAULT, "%s", checking.message);
}
