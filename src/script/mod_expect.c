// mod_expect.c: expect(buffer, wanted, tolerance), with which a recipe compares a result with the host's.
#include <math.h>

#include "base/mem.h"
#include "script/mod_buffer.h"
#include "script/mod_each.h"

enum { ELEMENTS_PER_CHARGE = 256 };
static const char said_key[] = "lanescope.expect";

typedef struct Tolerance { double rel, abs; } Tolerance;

static double tolerance_field(lua_State *L, const char *name) {
  lua_getfield(L, 3, name);
  double value = luaL_optnumber(L, -1, 0.0);
  if (!(value >= 0)) luaL_error(L, "expect: the tolerance %s must not be negative", name);
  lua_pop(L, 1);
  return value;
}

// How far apart the elements that are compared are; 1 if nothing is said.
static uint64_t stride_field(lua_State *L) {
  lua_getfield(L, 3, "every");
  lua_Integer value = luaL_optinteger(L, -1, 1);
  if (value < 1) luaL_error(L, "expect: every must be 1 or more");
  lua_pop(L, 1);
  return (uint64_t)value;
}

static bool close_enough(double got, double wanted, Tolerance tolerance) {
  if (got == wanted || (isnan(got) && isnan(wanted))) return true;
  return fabs(got - wanted) <= fmax(tolerance.abs, tolerance.rel * fabs(wanted));
}

// Compares the two values on top of the stack: what is there, and what is expected.
static bool same_value(lua_State *L, Tolerance tolerance) {
  if (lua_isinteger(L, -1) && lua_isinteger(L, -2)) return lua_tointeger(L, -1) == lua_tointeger(L, -2);
  return close_enough(lua_tonumber(L, -2), lua_tonumber(L, -1), tolerance);
}

static void push_number(lua_State *L, int index) {
  if (lua_isinteger(L, index)) lua_pushfstring(L, "%I", (LUAI_UACINT)lua_tointeger(L, index));
  else {
    char text[40];
    lua_number2str(text, sizeof text, lua_tonumber(L, index));
    lua_pushstring(L, text);
  }
}

const char *mod_expect_said(lua_State *L) {
  lua_getfield(L, LUA_REGISTRYINDEX, said_key);
  const char *said = lua_tostring(L, -1);
  lua_pop(L, 1);                   // the registry keeps it
  return said;
}

void mod_expect_forget(lua_State *L) {
  lua_pushnil(L);
  lua_setfield(L, LUA_REGISTRYINDEX, said_key);
}

static void keep(lua_State *L) {
  if (mod_expect_said(L)) return;
  lua_pushvalue(L, -1);
  lua_setfield(L, LUA_REGISTRYINDEX, said_key);
}

static int report(lua_State *L, uint64_t i) {
  int got = lua_gettop(L) - 1;
  push_number(L, got);
  push_number(L, got + 1);
  lua_pushboolean(L, 0);
  lua_pushfstring(L, "%s[%I] is %s, expected %s", mod_buffer_name(L, 1), (LUAI_UACINT)i, lua_tostring(L, got + 2),
                  lua_tostring(L, got + 3));
  keep(L);
  return 2;
}

// ---- a function in Lua ---------------------------------------------------------------------------------------------

// In an exercise f(i) may be nil: the element is as it was.
static int expect_function(lua_State *L, uint64_t count, uint64_t stride, Tolerance tolerance) {
  uint64_t compared = 0;
  for (uint64_t i = 0; i < count; i += stride) {
    if (compared++ % ELEMENTS_PER_CHARGE == 0) script_charge(L, ELEMENTS_PER_CHARGE);   // f need not be a function in Lua
    mod_buffer_element(L, 1, i);
    lua_pushvalue(L, 2);
    lua_pushinteger(L, (lua_Integer)i);
    lua_call(L, 1, 1);
    if (lua_isnil(L, -1) && mod_buffer_before(L, 1, i)) lua_remove(L, -2);   // nothing is expected: as it was
    if (!lua_isnumber(L, -1))
      return luaL_error(L, "expect: the function gave %s for element %I", luaL_typename(L, -1), (LUAI_UACINT)i);
    if (!same_value(L, tolerance)) return report(L, i);
    lua_pop(L, 2);
  }
  lua_pushboolean(L, 1);
  return 1;
}

// ---- a column ------------------------------------------------------------------------------------------------------

// The first element of the chunk that is not as wanted; their count: there is none.
static int first_difference(const Column *got, const Column *wanted, int count, Tolerance tolerance) {
  int i = 0;
  if (!got->is_float && !wanted->is_float)
    while (i < count && got->values.integer[i] == wanted->values.integer[i]) i++;
  else
    while (i < count && close_enough(column_value(got, i), column_value(wanted, i), tolerance)) i++;
  return i;
}

static int expect_column(lua_State *L, uint64_t count, uint64_t stride, Tolerance tolerance) {
  lua_settop(L, 2);
  lua_pushvalue(L, 1);
  Column *wanted = mod_each_column(L, 2), *got = mod_each_column(L, 3);
  ColumnChunk chunk;
  stride = LS_MIN(stride, count + 1);
  for (uint64_t first = 0; mod_each_evaluate(L, wanted, &chunk, first, stride, count); first += COLUMN_CHUNK * stride) {
    column_evaluate(got, &chunk);
    int lane = first_difference(got, wanted, chunk.count, tolerance);
    if (lane == chunk.count) continue;
    mod_each_push_value(L, got, lane);
    mod_each_push_value(L, wanted, lane);
    return report(L, (uint64_t)chunk.at[lane]);
  }
  lua_pushboolean(L, 1);
  return 1;
}

// expect(buffer, wanted, { rel = R, abs = A, every = K }): true if every buffer[i], of those that K divides, is
// wanted[i] (of a buffer or a column), wanted(i) (of a function) or wanted (a number); else false and a message on the
// first that is not.
static int l_expect(lua_State *L) {
  Tolerance tolerance = {0, 0};
  uint64_t stride = 1;
  bool calls = lua_isfunction(L, 2);
  if (!calls && !mod_each_is_column(L, 2) && lua_type(L, 2) != LUA_TNUMBER)
    return luaL_typeerror(L, 2, "function, number, buffer or column");
  if (!lua_isnoneornil(L, 3)) {
    luaL_checktype(L, 3, LUA_TTABLE);
    tolerance = (Tolerance){tolerance_field(L, "rel"), tolerance_field(L, "abs")};
    stride = stride_field(L);
  }
  uint64_t count = mod_buffer_count(L, 1);
  return calls ? expect_function(L, count, stride, tolerance) : expect_column(L, count, stride, tolerance);
}

void mod_expect_open(lua_State *L) { lua_register(L, "expect", l_expect); }
