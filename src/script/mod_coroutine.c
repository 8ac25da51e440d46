// mod_coroutine.c: create, resume and wrap of coroutines, such that what a coroutine uses up is missed by nobody.
//
// wrap differs from Lua's in that a dead coroutine is not closed: there is nothing to close without metatables.
#include "script/state.h"

enum {
  CREATE_CHARGE = 1000,            // a new coroutine counts instructions anew: what may pass without being counted
  RESUME_CHARGE = 50,
};

static void push_coroutine(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  script_charge(L, CREATE_CHARGE);
  lua_State *coroutine = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, coroutine, 1);
}

// Moves the arguments from `first` on over, and what comes back onto the stack. -1 with a message there if it failed.
static int resume(lua_State *L, lua_State *coroutine, int first) {
  int arguments = lua_gettop(L) - first + 1, results = 1;
  script_charge(L, RESUME_CHARGE + arguments);
  if (!lua_checkstack(coroutine, arguments)) return luaL_error(L, "too many arguments to resume");
  lua_xmove(L, coroutine, arguments);
  int status = script_resume(coroutine, L, arguments, &results);
  bool ok = status == LUA_OK || status == LUA_YIELD;
  if (!ok) results = 1;
  if (!lua_checkstack(L, results + 1)) return luaL_error(L, "too many results to resume");
  lua_xmove(coroutine, L, results);
  return ok ? results : -1;
}

static int l_create(lua_State *L) {
  push_coroutine(L);
  return 1;
}

static int l_resume(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTHREAD);
  int results = resume(L, lua_tothread(L, 1), 2);
  lua_pushboolean(L, results >= 0);
  int count = results >= 0 ? results : 1;
  lua_insert(L, -1 - count);
  return count + 1;
}

static int l_go_on(lua_State *L) {
  int results = resume(L, lua_tothread(L, lua_upvalueindex(1)), 1);
  if (results >= 0) return results;
  return lua_error(L);
}

static int l_wrap(lua_State *L) {
  push_coroutine(L);
  lua_pushcclosure(L, l_go_on, 1);
  return 1;
}

void mod_coroutine_open(lua_State *L) {
  static const luaL_Reg functions[] = {{"create", l_create}, {"resume", l_resume}, {"wrap", l_wrap}, {NULL, NULL}};
  lua_getglobal(L, "coroutine");
  luaL_setfuncs(L, functions, 0);
  lua_pop(L, 1);
}
