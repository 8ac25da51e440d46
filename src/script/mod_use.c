// mod_use.c: the library of lessons and exercises as they name it (use "text"), and the line that is being executed.
#include <string.h>

#include "base/text.h"
#include "script/state.h"

// use "name": what lua/NAME.lua returns, loaded once.
int script_use(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  if (!*name || name[strspn(name, "abcdefghijklmnopqrstuvwxyz_")])
    return luaL_error(L, "there is no library '%s'", name);
  lua_pushfstring(L, "lua/%s.lua", name);
  lua_pushvalue(L, -1);
  if (lua_rawget(L, LUA_REGISTRYINDEX) != LUA_TNIL) return 1;
  lua_pop(L, 1);
  script_push_file(L, lua_tostring(L, -1));
  if (lua_isnil(L, -1)) return luaL_error(L, "library '%s' returns nothing", name);
  lua_pushvalue(L, -2);
  lua_pushvalue(L, -2);
  lua_rawset(L, LUA_REGISTRYINDEX);
  return 1;
}

// lesson_line(): "L03_warps.lua:12: ", the line of a lesson or of a bank that is being executed; "" if there is none.
static int l_lesson_line(lua_State *L) {
  lua_Debug debug;
  for (int level = 1; lua_getstack(L, level, &debug); level++) {
    lua_getinfo(L, "Sl", &debug);
    if (debug.currentline < 0 || ls_starts_with(debug.short_src, "lua/")) continue;
    lua_pushfstring(L, "%s:%d: ", debug.short_src, debug.currentline);
    return 1;
  }
  lua_pushliteral(L, "");
  return 1;
}

void mod_use_open(lua_State *L) {
  lua_register(L, "use", script_use);
  lua_register(L, "lesson_line", l_lesson_line);
}
