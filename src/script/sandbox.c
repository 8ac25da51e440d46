// sandbox.c: the globals a script can reach. What is not listed here is not there.
//
// Left out on purpose: everything that loads code or reads files, collectgarbage, string.dump and pack, table.move,
// math.randomseed (numbers are the same in every run), coroutine.close, and setmetatable: with metatables a script
// could have code run by the collector or while an error passes (__gc, __close), keep the collector busy (__mode), and
// make library functions call each other without an instruction between.
#include <string.h>

#include "base/mem.h"
#include "script/guards.h"

typedef struct Function { const char *library, *name; Guard *guard; } Function;

// A guard is run before the function; a function without one ends soon whatever it is given.
static const Function functions[] = {
    {"_G", "assert", NULL}, {"_G", "error", NULL}, {"_G", "getmetatable", NULL}, {"_G", "ipairs", NULL},
    {"_G", "next", guard_next}, {"_G", "pcall", guard_call}, {"_G", "rawequal", guard_texts}, {"_G", "rawget", NULL},
    {"_G", "rawlen", NULL}, {"_G", "rawset", NULL}, {"_G", "select", guard_select}, {"_G", "tonumber", guard_texts},
    {"_G", "tostring", NULL}, {"_G", "type", NULL},

    {"string", "byte", guard_bytes}, {"string", "char", guard_texts}, {"string", "find", guard_find},
    {"string", "format", guard_texts}, {"string", "gmatch", guard_gmatch}, {"string", "gsub", guard_gsub},
    {"string", "len", NULL},      {"string", "lower", guard_texts}, {"string", "match", guard_match},
    {"string", "rep", guard_rep}, {"string", "reverse", guard_texts}, {"string", "sub", NULL},
    {"string", "upper", guard_texts},

    {"table", "concat", guard_concat}, {"table", "insert", guard_insert}, {"table", "pack", guard_table},
    {"table", "remove", guard_remove}, {"table", "sort", guard_sort}, {"table", "unpack", guard_unpack},

    {"math", "abs", NULL}, {"math", "acos", NULL}, {"math", "asin", NULL}, {"math", "atan", NULL},
    {"math", "ceil", NULL}, {"math", "cos", NULL}, {"math", "deg", NULL}, {"math", "exp", NULL},
    {"math", "floor", NULL}, {"math", "fmod", NULL}, {"math", "huge", NULL}, {"math", "log", NULL},
    {"math", "max", guard_texts}, {"math", "maxinteger", NULL}, {"math", "min", guard_texts},
    {"math", "mininteger", NULL},
    {"math", "modf", NULL}, {"math", "pi", NULL}, {"math", "rad", NULL}, {"math", "random", NULL},
    {"math", "sin", NULL}, {"math", "sqrt", NULL}, {"math", "tan", NULL}, {"math", "tointeger", NULL},
    {"math", "type", NULL}, {"math", "ult", NULL},

    {"coroutine", "isyieldable", NULL}, {"coroutine", "running", NULL}, {"coroutine", "status", NULL},
    {"coroutine", "yield", NULL},   // the others are in mod_coroutine.c

    {"utf8", "char", guard_texts}, {"utf8", "charpattern", NULL},  {"utf8", "codepoint", guard_bytes},
    {"utf8", "codes", guard_texts}, {"utf8", "len", guard_texts}, {"utf8", "offset", guard_texts},
};

static const luaL_Reg libraries[] = {
    {LUA_STRLIBNAME, luaopen_string}, {LUA_TABLIBNAME, luaopen_table}, {LUA_MATHLIBNAME, luaopen_math},
    {LUA_COLIBNAME, luaopen_coroutine}, {LUA_UTF8LIBNAME, luaopen_utf8},
};

// Calls the C function itself and not by way of Lua, so that messages and their places are its own.
static int guarded(lua_State *L) {
  const Function *function = lua_touserdata(L, lua_upvalueindex(2));
  function->guard(L);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// Copies the listed fields of the table at `from` into that at `to`.
static void copy_listed(lua_State *L, int from, int to, const char *library) {
  for (int i = 0; i < LS_COUNT(functions); i++) {
    if (strcmp(functions[i].library, library) != 0) continue;
    lua_getfield(L, from, functions[i].name);
    if (functions[i].guard) {
      lua_pushlightuserdata(L, (void *)&functions[i]);
      lua_pushcclosure(L, guarded, 2);
    }
    lua_setfield(L, to, functions[i].name);
  }
}

// pairs(t): as Lua's, with the guarded next, its upvalue.
static int safe_pairs(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

static void seed_random(lua_State *L) {
  lua_getfield(L, -1, "randomseed");
  lua_pushinteger(L, 12345678);
  lua_call(L, 1, 0);
}

// Methods of strings find the allowed functions, and nobody can change or see that table's metatable.
static void fix_string_methods(lua_State *L, int strings) {
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_pushvalue(L, strings);
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 2);
}

void script_open_sandbox(lua_State *L) {
  lua_newtable(L);
  int globals = lua_gettop(L);
  luaL_requiref(L, "_G", luaopen_base, 0);
  copy_listed(L, globals + 1, globals, "_G");
  lua_getfield(L, globals, "next");
  lua_pushcclosure(L, safe_pairs, 1);
  lua_setfield(L, globals, "pairs");
  lua_settop(L, globals);
  for (int i = 0; i < LS_COUNT(libraries); i++) {
    luaL_requiref(L, libraries[i].name, libraries[i].func, 0);
    if (libraries[i].func == luaopen_math) seed_random(L);
    lua_newtable(L);
    copy_listed(L, globals + 1, globals + 2, libraries[i].name);
    if (libraries[i].func == luaopen_string) fix_string_methods(L, globals + 2);
    lua_setfield(L, globals, libraries[i].name);
    lua_settop(L, globals);
  }
  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}
