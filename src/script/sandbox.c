// sandbox.c: the globals a script can reach. What is not listed here is not there.
//
// Library functions that can work long on little (patterns, repetition, shifting a table) are wrapped: the wrapper charges
// the budget first, or refuses. Left out on purpose: everything that loads code or reads files, collectgarbage, string.dump
// and pack, table.move, and math.randomseed (numbers are the same in every run).
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "script/state.h"

enum {
  REPEAT_LIMIT = 1 << 20,          // bytes string.rep may make
  PATTERN_LIMIT = 100000000,       // steps a match may take in the worst case
  PATTERN_CHARGE = 8,              // such steps that count as one instruction
};

typedef struct Library { const char *name; lua_CFunction open; const char *const *allowed; } Library;

static const char *const base_names[] = {"assert", "error", "getmetatable", "ipairs", "next", "pairs", "pcall",
                                         "rawequal", "rawget", "rawlen", "rawset", "select", "tonumber", "tostring",
                                         "type", NULL};
static const char *const string_names[] = {"byte", "char", "format", "len", "lower", "reverse", "sub", "upper", NULL};
static const char *const table_names[] = {"concat", "pack", "unpack", NULL};
static const char *const math_names[] = {"abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod",
                                         "huge", "log", "max", "maxinteger", "min", "mininteger", "modf", "pi", "rad",
                                         "random", "sin", "sqrt", "tan", "tointeger", "type", "ult", NULL};
static const char *const coroutine_names[] = {"create", "isyieldable", "resume", "running", "status", "wrap", "yield",
                                              NULL};
static const char *const utf8_names[] = {"char", "charpattern", "codepoint", "codes", "len", "offset", NULL};

static const Library libraries[] = {
    {LUA_STRLIBNAME, luaopen_string, string_names}, {LUA_TABLIBNAME, luaopen_table, table_names},
    {LUA_MATHLIBNAME, luaopen_math, math_names},    {LUA_COLIBNAME, luaopen_coroutine, coroutine_names},
    {LUA_UTF8LIBNAME, luaopen_utf8, utf8_names},
};

// The function a wrapper stands for is its first upvalue.
static int call_wrapped(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

static int safe_rep(lua_State *L) {
  size_t length, separator = 0;
  luaL_checklstring(L, 1, &length);
  luaL_optlstring(L, 3, "", &separator);
  lua_Integer times = luaL_checkinteger(L, 2);
  if (times > 0 && length + separator > 0 && times > (lua_Integer)(REPEAT_LIMIT / (length + separator)))
    return luaL_error(L, "string.rep would make more than %d bytes", REPEAT_LIMIT);
  return call_wrapped(L);
}

// Every repetition in a pattern can try each place of the subject, so the worst case is a power of its length.
static double pattern_cost(const char *pattern, size_t pattern_length, size_t subject) {
  double cost = (double)subject + 1;
  for (size_t i = 0; i < pattern_length; i++) {
    if (pattern[i] == '%') i++;
    else if (pattern[i] == '?') cost *= 2;
    else if (pattern[i] && strchr("*+-", pattern[i])) cost *= (double)subject + 1;
  }
  return cost;
}

static int safe_pattern(lua_State *L) {
  size_t subject, length;
  luaL_checklstring(L, 1, &subject);
  const char *pattern = luaL_checklstring(L, 2, &length);
  bool plain = lua_toboolean(L, lua_upvalueindex(2)) && lua_toboolean(L, 4);   // string.find(s, p, init, true)
  double cost = plain ? (double)subject : pattern_cost(pattern, length, subject);
  if (cost > PATTERN_LIMIT) return luaL_error(L, "the pattern is too costly for a text of %d bytes", (int)subject);
  script_charge(L, (int64_t)(cost / PATTERN_CHARGE));
  return call_wrapped(L);
}

// A table with __len could claim any length and keep the library busy for ever.
static void check_plain(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  if (luaL_getmetafield(L, 1, "__len") != LUA_TNIL) luaL_error(L, "the table has a length of its own (__len)");
  script_charge(L, (int64_t)lua_rawlen(L, 1));
}

static int safe_table(lua_State *L) {
  check_plain(L);
  return call_wrapped(L);
}

static int safe_concat(lua_State *L) {
  check_plain(L);
  size_t separator;
  luaL_optlstring(L, 2, "", &separator);
  script_charge(L, (int64_t)(separator * lua_rawlen(L, 1) / 64));
  return call_wrapped(L);
}

static int safe_sort(lua_State *L) {
  check_plain(L);
  script_charge(L, (int64_t)lua_rawlen(L, 1) * 16);
  return call_wrapped(L);
}

static int safe_setmetatable(lua_State *L) {
  if (lua_istable(L, 2)) {
    lua_pushliteral(L, "__gc");
    if (lua_rawget(L, 2) != LUA_TNIL) return luaL_error(L, "a script cannot have finalizers (__gc)");
    lua_pop(L, 1);
  }
  return call_wrapped(L);
}

static const struct { const char *library, *name; lua_CFunction wrapper; } wrapped[] = {
    {"_G", "setmetatable", safe_setmetatable}, {"string", "rep", safe_rep},      {"string", "find", safe_pattern},
    {"string", "match", safe_pattern},         {"string", "gmatch", safe_pattern}, {"string", "gsub", safe_pattern},
    {"table", "insert", safe_table},           {"table", "remove", safe_table},  {"table", "sort", safe_sort},
    {"table", "concat", safe_concat},
};

// Copies the allowed fields of the table at `from` into that at `to`, and its wrapped functions.
static void copy_allowed(lua_State *L, int from, int to, const char *library, const char *const *allowed) {
  for (; *allowed; allowed++) {
    lua_getfield(L, from, *allowed);
    lua_setfield(L, to, *allowed);
  }
  for (int i = 0; i < LS_COUNT(wrapped); i++) {
    if (strcmp(wrapped[i].library, library) != 0) continue;
    lua_getfield(L, from, wrapped[i].name);
    lua_pushboolean(L, strcmp(wrapped[i].name, "find") == 0);
    lua_pushcclosure(L, wrapped[i].wrapper, 2);
    lua_setfield(L, to, wrapped[i].name);
  }
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
  copy_allowed(L, globals + 1, globals, "_G", base_names);
  lua_settop(L, globals);
  for (int i = 0; i < LS_COUNT(libraries); i++) {
    luaL_requiref(L, libraries[i].name, libraries[i].open, 0);
    if (libraries[i].open == luaopen_math) seed_random(L);
    lua_newtable(L);
    copy_allowed(L, globals + 1, globals + 2, libraries[i].name, libraries[i].allowed);
    if (libraries[i].open == luaopen_string) fix_string_methods(L, globals + 2);
    lua_setfield(L, globals, libraries[i].name);
    lua_settop(L, globals);
  }
  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}
