// guards.c: the price of library functions that can work long on little (patterns, repetition, shifting a table).
#include "script/guards.h"

#include <string.h>

#include "base/mem.h"
#include "script/pattern_cost.h"

enum {
  VALUE_LIMIT = 4096,              // values that one call may give
  PATTERN_LIMIT = 100000000,       // steps a match may take in the worst case
  STEPS_PER_CHARGE = 2,            // such steps that count as one instruction
  BYTES_PER_CHARGE = 4,            // bytes of a text that are gone through
  CALL_CHARGE = 200,               // pcall: catching an error costs so much
  CAPTURE_STEPS = 16,              // steps for a %1 of a replacement: a position is made a text
};

static int64_t text_work(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TSTRING ? (int64_t)lua_rawlen(L, index) / BYTES_PER_CHARGE : 1;
}

void guard_next(lua_State *L) { script_charge(L, 4); }
void guard_call(lua_State *L) { script_charge(L, CALL_CHARGE); }
void guard_select(lua_State *L) { script_charge(L, lua_gettop(L)); }

void guard_texts(lua_State *L) {
  int64_t work = 1;
  for (int i = lua_gettop(L); i > 0; i--) work += text_work(L, i);
  script_charge(L, work);
}

// ---- texts ----------------------------------------------------------------------------------------------------------

void guard_rep(lua_State *L) {
  size_t length, separator = 0;
  luaL_checklstring(L, 1, &length);
  luaL_optlstring(L, 3, "", &separator);
  lua_Integer times = luaL_checkinteger(L, 2);
  if (times > (lua_Integer)(SCRIPT_TEXT / LS_MAX(length + separator, 1)))
    luaL_error(L, "string.rep would make more than %d bytes", SCRIPT_TEXT);
  script_charge(L, LS_MAX(times / 2, 1));
}

static void charge_steps(lua_State *L, const char *what, double cost, size_t size) {
  if (cost > PATTERN_LIMIT) luaL_error(L, "the %s is too costly for a text of %d bytes", what, (int)size);
  script_charge(L, 1 + (int64_t)(cost / STEPS_PER_CHARGE));
}

static void charge_pattern(lua_State *L, bool plain, bool anchors) {
  size_t size, length;
  const char *subject = luaL_checklstring(L, 1, &size), *pattern = luaL_checklstring(L, 2, &length);
  double cost = plain ? plain_cost(length, size) : pattern_cost(pattern, length, subject, size, anchors);
  charge_steps(L, "pattern", cost, size);
}

void guard_find(lua_State *L) { charge_pattern(L, lua_toboolean(L, 4), true); }   // string.find(s, p, init, true)
void guard_match(lua_State *L) { charge_pattern(L, false, true); }
void guard_gmatch(lua_State *L) { charge_pattern(L, false, false); }

// Each match goes through the replacement. Functions and tables give texts that are charged where they are made.
void guard_gsub(lua_State *L) {
  guard_match(L);
  size_t size = lua_rawlen(L, 1), length;
  lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)size + 1);
  if (lua_type(L, 3) != LUA_TSTRING) return;
  const char *to = lua_tolstring(L, 3, &length);
  double steps = 1 + (double)length / BYTES_PER_CHARGE;
  for (size_t i = 0; i < length; i++) steps += to[i] == '%' ? CAPTURE_STEPS : 0;
  bool once = *lua_tostring(L, 2) == '^';
  double matches = once ? 1 : (double)LS_CLAMP(most, 0, (lua_Integer)size + 1);
  charge_steps(L, "replacement", matches * steps, size);
}

static lua_Integer place_in(lua_Integer place, size_t length) {
  return place < 0 ? place + (lua_Integer)length + 1 : LS_MIN(place, (lua_Integer)length);
}

// string.byte and utf8.codepoint
void guard_bytes(lua_State *L) {
  size_t length;
  luaL_checklstring(L, 1, &length);
  lua_Integer first = luaL_optinteger(L, 2, 1), last = luaL_optinteger(L, 3, first);
  first = LS_MAX(place_in(first, length), 1);
  last = place_in(last, length);
  if (last - first >= VALUE_LIMIT) luaL_error(L, "this would give more than %d values", VALUE_LIMIT);
  script_charge(L, LS_MAX(last - first, 0) + 1);
}

// ---- tables ---------------------------------------------------------------------------------------------------------

static int64_t table_length(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  return (int64_t)lua_rawlen(L, 1);
}

// Elements from first to last, which may be any numbers.
static int64_t span(lua_Integer first, lua_Integer last) {
  if (first > last) return 0;
  lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)first;
  return count < INT32_MAX ? (int64_t)count + 1 : INT32_MAX;
}

void guard_table(lua_State *L) { script_charge(L, lua_gettop(L)); }

// table.insert(t, [place,] value) and table.remove(t, [place]): what comes after the place is shifted.
static void charge_shift(lua_State *L, bool has_place) {
  int64_t length = table_length(L);
  script_charge(L, 1 + (has_place ? 2 * span(luaL_checkinteger(L, 2), length) : 0));
}

void guard_insert(lua_State *L) { charge_shift(L, lua_gettop(L) == 3); }
void guard_remove(lua_State *L) { charge_shift(L, lua_gettop(L) == 2); }

void guard_concat(lua_State *L) {
  int64_t length = table_length(L);
  size_t separator;
  luaL_optlstring(L, 2, "", &separator);
  int64_t count = span(luaL_optinteger(L, 3, 1), luaL_optinteger(L, 4, length));
  script_charge(L, count * (2 + (int64_t)separator / BYTES_PER_CHARGE));
}

static int64_t longest_text(lua_State *L, int64_t length) {
  int64_t longest = 0;
  for (int64_t i = 1; i <= length; i++) {
    if (lua_rawgeti(L, 1, i) == LUA_TSTRING) longest = LS_MAX(longest, (int64_t)lua_rawlen(L, -1));
    lua_pop(L, 1);
  }
  return longest;
}

// Lua compares texts piece by piece between zero bytes, which is slow when there are many; a C function as the order
// may read them as numbers.
void guard_sort(lua_State *L) {
  int64_t length = table_length(L), comparisons = length, work = 4;
  for (int64_t rest = length; rest > 1; rest /= 2) comparisons += length;
  script_charge(L, comparisons * work);
  if (lua_isnoneornil(L, 2) || lua_iscfunction(L, 2)) work = longest_text(L, length) / 2;
  script_charge(L, comparisons * work);
}

void guard_unpack(lua_State *L) {
  lua_Integer last = lua_isnoneornil(L, 3) ? luaL_len(L, 1) : luaL_checkinteger(L, 3);
  int64_t count = span(luaL_optinteger(L, 2, 1), last);
  if (count > VALUE_LIMIT) luaL_error(L, "too many results to unpack: more than %d", VALUE_LIMIT);
  script_charge(L, count + 1);
}
