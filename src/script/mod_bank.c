// mod_bank.c: the place of a lesson in the course, and banks of questions, as Lua sees them.
#include "script/mod_bank.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"

// Whether a lesson needs another one, itself or by way of those that it needs; each needs only lessons before it.
static bool needs(const Course *course, const CourseLesson *lesson, const char *id) {
  for (int i = 0; i < lesson->need_count; i++) {
    if (strcmp(lesson->needs[i], id) == 0) return true;
    for (int k = 0; k < course->count; k++)
      if (strcmp(course->lessons[k].id, lesson->needs[i]) == 0 && needs(course, &course->lessons[k], id)) return true;
  }
  return false;
}

// The lessons before this one, the nearest first: those that it needs, or the others.
static void push_earlier(lua_State *L, const Course *course, const CourseLesson *info, bool needed, const char *name) {
  lua_newtable(L);
  int count = 0;
  for (const CourseLesson *lesson = info; lesson-- > course->lessons;)
    if (needs(course, info, lesson->id) == needed) {
      lua_pushstring(L, lesson->id);
      lua_rawseti(L, -2, ++count);
    }
  lua_setfield(L, -2, name);
}

static void push_lessons(lua_State *L, const Course *course) {
  lua_newtable(L);
  for (int i = 0; i < course->count; i++) {
    lua_newtable(L);
    lua_pushstring(L, course->lessons[i].id);
    lua_setfield(L, -2, "id");
    lua_pushstring(L, course->lessons[i].title);
    lua_setfield(L, -2, "title");
    lua_pushboolean(L, course->lessons[i].file != NULL);
    lua_setfield(L, -2, "written");
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "lessons");
}

// course_place(): { id = "L04", needs = { "L03", "L02" }, others = { "L01" },
//                   lessons = { { id = "L01", title = "Hello, GPU", written = true }, ... } }
// What is no lesson of the course has neither needs nor others.
static int l_course_place(lua_State *L) {
  const Course *course = lua_touserdata(L, lua_upvalueindex(1));
  const CourseLesson *info = lua_touserdata(L, lua_upvalueindex(2));
  bool in_course = false;
  for (int i = 0; i < course->count; i++) in_course |= info == &course->lessons[i];
  lua_newtable(L);
  lua_pushstring(L, info->id);
  lua_setfield(L, -2, "id");
  if (in_course) push_earlier(L, course, info, true, "needs");
  if (in_course) push_earlier(L, course, info, false, "others");
  push_lessons(L, course);
  return 1;
}

// A file of the folder as a function, or nothing.
static int load_if_there(lua_State *L, const char *name) {
  char *path = ls_path_join(script_of(L)->folder, name);
  bool exists = ls_file_exists(path);
  free(path);
  if (exists) script_load_file(L, name);
  return exists;
}

// question_bank("L03"): the file questions/L03.lua as a function; nil if there is none.
static int l_question_bank(lua_State *L) {
  const char *id = luaL_checkstring(L, 1);
  if (!*id || id[strspn(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")])
    return luaL_error(L, "'%s' is no lesson", id);
  lua_pushfstring(L, "questions/%s.lua", id);
  return load_if_there(L, lua_tostring(L, -1));
}

// claim_topics(), museum_wings(), family_file(): the file claims.lua, museum.lua or families.lua as a function
static int l_claim_topics(lua_State *L) { return script_load_file(L, "claims.lua"), 1; }
static int l_museum_wings(lua_State *L) { return script_load_file(L, "museum.lua"), 1; }
static int l_family_file(lua_State *L) { return script_load_file(L, "families.lua"), 1; }

static int load_part(lua_State *L, const char *folder) {
  const char *name = luaL_checkstring(L, 1);
  if (!*name || name[strspn(name, "abcdefghijklmnopqrstuvwxyz_")])
    return luaL_error(L, "'%s' is no name of a file in %s", name, folder);
  lua_pushfstring(L, "%s/%s.lua", folder, name);
  return load_if_there(L, lua_tostring(L, -1));
}

// claim_file("blocks"), museum_file("reductions"): that file of claims/ or museum/ as a function; nil if there is none.
static int l_claim_file(lua_State *L) { return load_part(L, "claims"); }
static int l_museum_file(lua_State *L) { return load_part(L, "museum"); }

void mod_bank_push(lua_State *L, const LessonDraws *draws) {
  lua_createtable(L, draws->count, 1);
  lua_pushinteger(L, (lua_Integer)draws->seed);
  lua_setfield(L, -2, "seed");
  for (int i = 0; i < draws->count; i++) {
    lua_createtable(L, 0, 2);
    lua_pushstring(L, draws->items[i].skill);
    lua_setfield(L, -2, "skill");
    lua_pushinteger(L, draws->items[i].times);
    lua_setfield(L, -2, "times");
    if (draws->again) {
      lua_pushinteger(L, draws->again[i].days);
      lua_setfield(L, -2, "days");
      lua_pushboolean(L, draws->again[i].rests);
      lua_setfield(L, -2, "rests");
    }
    lua_rawseti(L, -2, i + 1);
  }
}

void mod_bank_open(lua_State *L, const Course *course, const CourseLesson *info) {
  lua_pushlightuserdata(L, (void *)course);
  lua_pushlightuserdata(L, (void *)info);
  lua_pushcclosure(L, l_course_place, 2);
  lua_setglobal(L, "course_place");
  lua_register(L, "question_bank", l_question_bank);
  lua_register(L, "claim_topics", l_claim_topics);
  lua_register(L, "claim_file", l_claim_file);
  lua_register(L, "museum_wings", l_museum_wings);
  lua_register(L, "family_file", l_family_file);
  lua_register(L, "museum_file", l_museum_file);
}
