// mod_demo.c: the files of demos, as Lua sees them.
#include "script/mod_demo.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"

enum { NAME_LIMIT = 40, DEMO_LIMIT = 500 };
static const char suffix[] = ".lua";

static bool is_name(const char *name, size_t length) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return length > 0 && length <= NAME_LIMIT && strspn(name, allowed) >= length;
}

// demo_wish(): the name or path of the demo that is wanted; nil: all of them.
static int l_demo_wish(lua_State *L) {
  lua_pushstring(L, lua_touserdata(L, lua_upvalueindex(1)));
  return 1;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static int list_names(const char *folder, char *names[DEMO_LIMIT]) {
  int count = 0;
  char *path = ls_path_join(folder, "demos");
  DIR *dir = opendir(path);
  free(path);
  for (struct dirent *item; dir && count < DEMO_LIMIT && (item = readdir(dir));) {
    const char *name = item->d_name;
    bool is_demo = ls_ends_with(name, suffix) && is_name(name, strlen(name) - strlen(suffix));
    if (is_demo) names[count++] = ls_strndup(name, strlen(name) - strlen(suffix));
  }
  if (dir) closedir(dir);
  qsort(names, (size_t)count, sizeof *names, by_name);
  return count;
}

static bool is_there(lua_State *L, const char *name) {
  char *relative = ls_format("demos/%s%s", name, suffix), *path = ls_path_join(script_of(L)->folder, relative);
  bool exists = ls_file_exists(path);
  free(path);
  free(relative);
  return exists;
}

// With the names that there are.
static int no_such_demo(lua_State *L, const char *name) {
  char *names[DEMO_LIMIT];
  luaL_Buffer list;
  int count = list_names(script_of(L)->folder, names);
  luaL_checkstack(L, 8, NULL);
  luaL_buffinit(L, &list);
  for (int i = 0; i < count; i++) {
    if (i) luaL_addstring(&list, ", ");
    luaL_addstring(&list, names[i]);
    free(names[i]);
  }
  luaL_pushresult(&list);
  lua_pushfstring(L, "there is no demo '%s'; there are: %s. A file of your own is named by its path, ./%s.lua; "
                  "a lesson by its number, L11", name, lua_tostring(L, -1), name);
  return lua_error(L);
}

// demo_file("banks"): that file of demos/, or the file at this path, as a function; and the name of the demo.
static int l_demo_file(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  if (!is_name(name, strlen(name))) {
    const char *base = ls_path_base(name);
    size_t length = strlen(base) - (ls_ends_with(base, suffix) ? strlen(suffix) : 0);
    script_load_file(L, name);
    lua_pushlstring(L, base, length);
    return 2;
  }
  if (!is_there(L, name)) return no_such_demo(L, name);
  lua_pushfstring(L, "demos/%s%s", name, suffix);
  script_load_file(L, lua_tostring(L, -1));
  lua_pushvalue(L, 1);
  return 2;
}

// demo_names(): the names of the files in demos/, in order.
static int l_demo_names(lua_State *L) {
  char *names[DEMO_LIMIT];
  if (!lua_checkstack(L, DEMO_LIMIT + 2)) return luaL_error(L, "there are too many demos");
  int count = list_names(script_of(L)->folder, names);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushstring(L, names[i]);
    free(names[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

void mod_demo_open(lua_State *L, const char *wish) {
  lua_pushlightuserdata(L, (void *)wish);
  lua_pushcclosure(L, l_demo_wish, 1);
  lua_setglobal(L, "demo_wish");
  lua_register(L, "demo_file", l_demo_file);
  lua_register(L, "demo_names", l_demo_names);
}
