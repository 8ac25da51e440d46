// state.c: the Lua state of a script: capped memory, capped work, one protected door.
#include "script/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "script/budget.h"

// The parser is quadratic in a chain of "or": one as long as this takes it a second, and no hook can stop it.
enum { FILE_LIMIT = 1 << 17 };

Script *script_of(lua_State *L) { return *(Script **)lua_getextraspace(L); }

typedef struct Door { ScriptBody *body; void *context; } Door;

static int call_body(lua_State *L) {
  Door *door = lua_touserdata(L, 1);
  lua_settop(L, 0);
  door->body(L, door->context);
  return 0;
}

// A body runs in a coroutine of its own: when that dies its stack still tells where.
static int enter(lua_State *L) {
  int results;
  lua_State *coroutine = lua_newthread(L);
  script_arm(coroutine);
  lua_pushcfunction(coroutine, call_body);
  lua_pushvalue(L, 1);
  lua_xmove(L, coroutine, 1);
  if (script_resume(coroutine, L, 1, &results) == LUA_OK) return 0;
  lua_xmove(coroutine, L, 1);
  if (lua_type(L, -1) != LUA_TSTRING) luaL_tolstring(L, -1, NULL);   // while still protected
  return lua_error(L);
}

// Chunks are named relative to the script's folder, those of the library "lua/NAME.lua".
static char *path_of(const Script *script, const char *name, LsErr *err) {
  if (ls_starts_with(name, "/") || ls_starts_with(name, "./") || ls_starts_with(name, "../")) return ls_strdup(name);
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

bool script_run(Script *script, int64_t budget, ScriptBody *body, void *context, LsErr *err) {
  lua_State *L = script->L;
  Door door = {body, context};
  int top = lua_gettop(L);
  if (!lua_checkstack(L, 8)) return ls_fail(err, LS_EREQUEST, "the stack of the script is full");
  script->epoch++;
  script->malformed = false;
  budget_start(script, budget);
  lua_pushcfunction(L, enter);
  lua_pushlightuserdata(L, &door);
  bool ok = lua_pcall(L, 1, 0, 0) == LUA_OK;
  if (!ok) script_take_error(script, lua_tostring(L, -1), script->malformed ? LS_EPARSE : LS_EREQUEST, err);
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
  mod_each_open(L);
  mod_all_open(L);
  mod_coroutine_open(L);
}

Script *script_new(const char *folder, LsErr *err) {
  Script *script = ls_alloc(sizeof *script);
  budget_open(script);
  script->folder = ls_strdup(folder);
  script->L = lua_newstate(budget_allocate, script);
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
