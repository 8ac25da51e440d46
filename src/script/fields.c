// fields.c: reading hand-written tables.
#include "script/fields.h"

#include <string.h>

#include "base/text.h"

enum { LIST_LIMIT = 1024 };

int field_push(lua_State *L, int table, const char *name, int wanted, const char *what) {
  lua_pushstring(L, name);
  int type = lua_rawget(L, table);
  if (type != LUA_TNIL && type != wanted)
    luaL_error(L, "%s: field '%s' must be a %s, not a %s", what, name, lua_typename(L, wanted), lua_typename(L, type));
  return type;
}

static void require(lua_State *L, int type, const char *name, const char *what) {
  if (type == LUA_TNIL) luaL_error(L, "%s has no field '%s'", what, name);
}

const char *field_string_or(lua_State *L, int table, const char *name, const char *fallback, const char *what,
                            LsArena *arena) {
  const char *value = fallback;
  if (field_push(L, table, name, LUA_TSTRING, what) != LUA_TNIL) {
    value = lua_tostring(L, -1);
    if (arena) value = ls_arena_strdup(arena, value);
  }
  lua_pop(L, 1);                   // the table keeps it alive
  return value;
}

const char *field_string(lua_State *L, int table, const char *name, const char *what, LsArena *arena) {
  const char *value = field_string_or(L, table, name, NULL, what, arena);
  require(L, value ? LUA_TSTRING : LUA_TNIL, name, what);
  return value;
}

static lua_Integer integer_field(lua_State *L, const char *name, const char *what) {
  int exact;
  lua_Integer value = lua_tointegerx(L, -1, &exact);
  if (!exact) luaL_error(L, "%s: field '%s' must be a whole number", what, name);
  lua_pop(L, 1);
  return value;
}

lua_Integer field_integer(lua_State *L, int table, const char *name, const char *what) {
  require(L, field_push(L, table, name, LUA_TNUMBER, what), name, what);
  return integer_field(L, name, what);
}

lua_Integer field_integer_or(lua_State *L, int table, const char *name, lua_Integer fallback, const char *what) {
  if (field_push(L, table, name, LUA_TNUMBER, what) != LUA_TNIL) return integer_field(L, name, what);
  lua_pop(L, 1);
  return fallback;
}

bool field_bool(lua_State *L, int table, const char *name, const char *what) {
  field_push(L, table, name, LUA_TBOOLEAN, what);
  bool value = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return value;
}

void field_function(lua_State *L, int table, const char *name, const char *what) {
  require(L, field_push(L, table, name, LUA_TFUNCTION, what), name, what);
  lua_pop(L, 1);
}

const char **field_list(lua_State *L, int table, const char *name, const char *what, LsArena *arena, int *count,
                        bool *numbers) {
  *count = 0;
  if (numbers) *numbers = false;
  if (field_push(L, table, name, LUA_TTABLE, what) == LUA_TNIL) {
    lua_pop(L, 1);
    return NULL;
  }
  lua_Unsigned length = lua_rawlen(L, -1);
  if (length > LIST_LIMIT) luaL_error(L, "%s: field '%s' has more than %d items", what, name, LIST_LIMIT);
  const char **items = LS_NEW_ARRAY(arena, const char *, length + 1);
  int number_count = 0;
  for (lua_Unsigned i = 0; i < length; i++) {
    int type = lua_rawgeti(L, -1, (lua_Integer)i + 1);
    if (type != LUA_TSTRING && !lua_isinteger(L, -1))
      luaL_error(L, "%s: item %d of '%s' must be a word or a whole number", what, (int)i + 1, name);
    number_count += type == LUA_TNUMBER;
    items[i] = ls_arena_strdup(arena, luaL_tolstring(L, -1, NULL));
    lua_pop(L, 2);
  }
  lua_pop(L, 1);
  if (number_count && number_count != (int)length) luaL_error(L, "%s: field '%s' mixes words and numbers", what, name);
  if (numbers) *numbers = number_count > 0;
  *count = (int)length;
  return items;
}

static const char *nearest(const char *name, const char *const *names) {
  const char *best = NULL;
  int best_distance = 3;
  for (; *names; names++) {
    int distance = ls_edit_distance(name, *names);
    if (distance < best_distance) {
      best_distance = distance;
      best = *names;
    }
  }
  return best;
}

void field_check_names(lua_State *L, int table, const char *const *names, const char *what) {
  lua_pushnil(L);
  while (lua_next(L, table)) {
    if (lua_type(L, -2) != LUA_TSTRING) luaL_error(L, "%s has an item without a name", what);
    const char *name = lua_tostring(L, -2);
    int i = 0;
    while (names[i] && strcmp(names[i], name) != 0) i++;
    if (!names[i]) {
      const char *near = nearest(name, names);
      luaL_error(L, near ? "%s has an unknown field '%s'; did you mean '%s'?" : "%s has an unknown field '%s'", what,
                 name, near);
    }
    lua_pop(L, 1);
  }
}
