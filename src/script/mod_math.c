// mod_math.c: the small arithmetic of recipes and lessons: cdiv rup gcd log2i popcount f32.
#include "script/mod_each.h"
#include "script/state.h"

static lua_Integer floor_divide(lua_Integer a, lua_Integer b) {
  lua_Integer quotient = a / b;
  return a % b != 0 && (a ^ b) < 0 ? quotient - 1 : quotient;
}

static lua_Integer positive_argument(lua_State *L, int index) {
  lua_Integer value = luaL_checkinteger(L, index);
  luaL_argcheck(L, value > 0, index, "must be at least 1");
  return value;
}

// cdiv(a, b): a / b rounded up
static int l_cdiv(lua_State *L) {
  lua_Integer a = luaL_checkinteger(L, 1), b = positive_argument(L, 2);
  lua_pushinteger(L, floor_divide(a, b) + (a % b != 0));
  return 1;
}

// rup(x, g): x rounded up to a multiple of g
static int l_rup(lua_State *L) {
  lua_Integer x = luaL_checkinteger(L, 1), g = positive_argument(L, 2);
  lua_Unsigned groups = (lua_Unsigned)(floor_divide(x, g) + (x % g != 0));
  lua_pushinteger(L, (lua_Integer)(groups * (lua_Unsigned)g));
  return 1;
}

// gcd(a, b)
static int l_gcd(lua_State *L) {
  lua_Integer first = luaL_checkinteger(L, 1), second = luaL_checkinteger(L, 2);
  lua_Unsigned a = first < 0 ? 0 - (lua_Unsigned)first : (lua_Unsigned)first;
  lua_Unsigned b = second < 0 ? 0 - (lua_Unsigned)second : (lua_Unsigned)second;
  while (b) {
    lua_Unsigned rest = a % b;
    a = b;
    b = rest;
  }
  lua_pushinteger(L, (lua_Integer)a);
  return 1;
}

// log2i(n): position of the highest bit
static int l_log2i(lua_State *L) {
  lua_pushinteger(L, 63 - __builtin_clzll((unsigned long long)positive_argument(L, 1)));
  return 1;
}

// popcount(n): number of bits set
static int l_popcount(lua_State *L) {
  lua_pushinteger(L, __builtin_popcountll((unsigned long long)luaL_checkinteger(L, 1)));
  return 1;
}

// f32(x): x rounded to a float; of a buffer or a column every element
static int l_f32(lua_State *L) {
  if (mod_each_is_column(L, 1)) return mod_each_operate(L, COLUMN_SINGLE);
  lua_pushnumber(L, (lua_Number)(float)luaL_checknumber(L, 1));
  return 1;
}

void mod_math_open(lua_State *L) {
  lua_register(L, "cdiv", l_cdiv);
  lua_register(L, "rup", l_rup);
  lua_register(L, "gcd", l_gcd);
  lua_register(L, "log2i", l_log2i);
  lua_register(L, "popcount", l_popcount);
  lua_register(L, "f32", l_f32);
}
