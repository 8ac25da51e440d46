// state.c: the Lua state of a script: capped memory, capped work, one protected door.
#include "script/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"

enum {
  HOOK_INTERVAL = 1000,            // instructions between looks at the budget
  BYTES_PER_CHARGE = 16,           // allocating so many bytes counts as an instruction
  LARGE_BLOCK = 1 << 16,           // with the budget spent, no block of this size is given any more
  FILE_LIMIT = 1 << 20,
};

static const char out_of_budget[] = "this takes too long: the script used up its instructions";

Script *script_of(lua_State *L) { return *(Script **)lua_getextraspace(L); }

static void *allocate(void *context, void *old, size_t old_size, size_t size) {
  Script *script = context;
  if (!old) old_size = 0;          // Lua passes the kind of object here
  if (size == 0) {
    free(old);
    script->memory -= old_size;
    return NULL;
  }
  if (size > old_size) {
    script->budget -= (int64_t)(size / BYTES_PER_CHARGE);
    if (size - old_size > script->memory_limit - LS_MIN(script->memory, script->memory_limit)) return NULL;
    if (script->budget < 0 && size >= LARGE_BLOCK) return NULL;
  }
  void *block = realloc(old, size);
  if (block) script->memory += size - old_size;
  return block;
}

// Fires every HOOK_INTERVAL instructions, and at each one when nothing is left. New coroutines inherit the hook.
static void count_hook(lua_State *L, lua_Debug *debug) {
  (void)debug;
  Script *script = script_of(L);
  script->budget -= lua_gethookcount(L);
  if (script->budget >= 0) return;
  lua_sethook(L, count_hook, LUA_MASKCOUNT, 1);
  luaL_where(L, 0);                // the hook has no level of its own
  lua_pushstring(L, out_of_budget);
  lua_concat(L, 2);
  lua_error(L);
}

void script_arm(lua_State *coroutine) { lua_sethook(coroutine, count_hook, LUA_MASKCOUNT, HOOK_INTERVAL); }

void script_charge(lua_State *L, int64_t work) {
  Script *script = script_of(L);
  script->budget -= work;
  if (script->budget >= 0) return;
  lua_sethook(L, count_hook, LUA_MASKCOUNT, 1);
  luaL_error(L, "%s", out_of_budget);
}

// Turns whatever was raised into a text while still protected.
static int message_handler(lua_State *L) {
  if (lua_type(L, 1) != LUA_TSTRING) luaL_tolstring(L, 1, NULL);
  return 1;
}

typedef struct Door { ScriptBody *body; void *context; } Door;

static int enter(lua_State *L) {
  Door *door = lua_touserdata(L, 1);
  lua_settop(L, 0);
  door->body(L, door->context);
  return 0;
}

// Chunks are named relative to the script's folder, those of the library "lua/NAME.lua".
static char *path_of(const Script *script, const char *name, LsErr *err) {
  return ls_starts_with(name, "lua/") ? ls_data_path(name, err) : ls_path_join(script->folder, name);
}

void script_take_error(Script *script, const char *message, LsErrKind kind, LsErr *err) {
  char name[128];
  int line = 0, used = 0;
  if (sscanf(message, "%127[^:\n]:%d: %n", name, &line, &used) == 2 && used > 0) {
    char *path = path_of(script, name, NULL);
    ls_fail_at(err, kind, path ? path : name, line, 0, "%s", message + used);
    free(path);
  } else {
    ls_fail(err, kind, "%s", message);
  }
}

static bool failed(Script *script, int status, LsErr *err) {
  const char *message = lua_tostring(script->L, -1);
  if (status == LUA_ERRMEM && script->budget < 0)
    ls_fail(err, LS_EREQUEST, "%s", out_of_budget);
  else if (status == LUA_ERRMEM)
    ls_fail(err, LS_EREQUEST, "the script needs more than %zu MB of memory", script->memory_limit >> 20);
  else
    script_take_error(script, message ? message : "the script failed without a message",
                      script->malformed ? LS_EPARSE : LS_EREQUEST, err);
  return false;
}

bool script_run(Script *script, int64_t budget, ScriptBody *body, void *context, LsErr *err) {
  lua_State *L = script->L;
  Door door = {body, context};
  int top = lua_gettop(L);
  if (!lua_checkstack(L, 8)) return ls_fail(err, LS_EREQUEST, "the stack of the script is full");
  script->budget = budget;
  script->epoch++;
  script->malformed = false;
  script_arm(L);
  lua_pushcfunction(L, message_handler);
  lua_pushcfunction(L, enter);
  lua_pushlightuserdata(L, &door);
  int status = lua_pcall(L, 1, 0, top + 1);
  bool ok = status == LUA_OK || failed(script, status, err);
  lua_settop(L, top);
  return ok;
}

// Leaves the chunk, or a message, on the stack. Precompiled chunks are refused: they can crash the machine.
static int load_text(lua_State *L, const char *text, size_t size, const char *name) {
  char chunk[160];
  snprintf(chunk, sizeof chunk, "@%s", name);
  int status = luaL_loadbufferx(L, text, size, chunk, "t");
  script_of(L)->malformed = status == LUA_ERRSYNTAX;
  return status;
}

void script_load_file(lua_State *L, const char *name) {
  LsErr err = {0};
  size_t size = 0;
  char *path = path_of(script_of(L), name, &err);
  char *text = path ? ls_file_read(path, FILE_LIMIT, &size, &err) : NULL;
  free(path);
  if (!text) luaL_error(L, "%s", err.message);
  int status = load_text(L, text, size, name);
  free(text);
  if (status != LUA_OK) lua_error(L);
}

void script_push_file(lua_State *L, const char *name) {
  script_load_file(L, name);
  lua_call(L, 0, 1);
}

static void open_all(lua_State *L, void *context) {
  (void)context;
  script_open_sandbox(L);
  mod_math_open(L);
  mod_expect_open(L);
  mod_buffer_open(L);
}

Script *script_new(const char *folder, LsErr *err) {
  Script *script = ls_alloc(sizeof *script);
  script->memory_limit = SCRIPT_MEMORY;
  script->budget = INT64_MAX;
  script->folder = ls_strdup(folder);
  script->L = lua_newstate(allocate, script);
  if (!script->L) {
    script_free(script);
    ls_fail(err, LS_ENOMEM, "there is no memory for a script");
    return NULL;
  }
  *(Script **)lua_getextraspace(script->L) = script;
  if (!script_run(script, 1 << 20, open_all, NULL, err)) {
    script_free(script);
    return NULL;
  }
  return script;
}

void script_free(Script *script) {
  if (!script) return;
  if (script->L) lua_close(script->L);
  free(script->folder);
  free(script);
}
