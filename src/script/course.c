// course.c: reads lessons/course.lua.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "script/fields.h"
#include "script/lesson.h"
#include "script/lesson_impl.h"

enum { COURSE_BUDGET = 5000000, COURSE_LIMIT = 200 };
static const char *const course_fields[] = {"title", "lessons", NULL};
static const char *const lesson_fields[] = {"id", "name", "title", "glimpse", "kernels", "needs", "minutes", "steps",
                                            "questions", "covers", "pictures", "file", NULL};
static const char *const picture_fields[] = {"kernel", "view", "at", "model", "values", "variant", "warp", "cols",
                                             NULL};
enum { PICTURES = 4 };
static const char *const covers_fields[] = {"claims", "questions", "errata", NULL};

typedef struct LuaCourse {
  Course base;
  char *folder;
  LsArena *arena;
} LuaCourse;

// Names are letters and a number, as "C008": each of them once.
static void check_names(lua_State *L, const char **names, int count, const char *prefixes, const char *what) {
  for (int i = 0; i < count; i++) {
    size_t letters = strspn(names[i], "CEFQ"), digits = strspn(names[i] + letters, "0123456789");
    char prefix[8] = "";
    if (letters < sizeof prefix) memcpy(prefix, names[i], letters);
    bool known = letters && digits && !names[i][letters + digits] && strstr(prefixes, prefix);
    if (!known) luaL_error(L, "%s: '%s' is none of %s with a number", what, names[i], prefixes);
    for (int k = 0; k < i; k++)
      if (strcmp(names[k], names[i]) == 0) luaL_error(L, "%s has '%s' twice", what, names[i]);
  }
}

static void read_covers(lua_State *L, int table, CourseCovers *covers, const char *what, LsArena *arena) {
  if (field_push(L, table, "covers", LUA_TTABLE, what) != LUA_TNIL) {
    int list = lua_gettop(L);
    what = ls_arena_format(arena, "%s, covers", what);
    field_check_names(L, list, covers_fields, what);
    covers->claims = field_list(L, list, "claims", what, arena, &covers->claim_count, NULL);
    covers->questions = field_list(L, list, "questions", what, arena, &covers->question_count, NULL);
    covers->errata = field_list(L, list, "errata", what, arena, &covers->erratum_count, NULL);
    check_names(L, covers->claims, covers->claim_count, "C", what);
    check_names(L, covers->questions, covers->question_count, "EQ FQ", what);
    check_names(L, covers->errata, covers->erratum_count, "E", what);
  }
  lua_pop(L, 1);
}

static void read_picture(lua_State *L, int table, CoursePicture *picture, const char *what, LsArena *arena) {
  field_check_names(L, table, picture_fields, what);
  picture->kernel = field_string_or(L, table, "kernel", NULL, what, arena);
  picture->model = field_string_or(L, table, "model", NULL, what, arena);
  picture->view = field_string_or(L, table, "view", NULL, what, arena);
  picture->at = field_string_or(L, table, "at", NULL, what, arena);
  picture->values = field_list(L, table, "values", what, arena, &picture->value_count, NULL);
  picture->variant = (int)field_integer_or(L, table, "variant", -1, what);
  picture->warp = (int)field_integer_or(L, table, "warp", -1, what);
  picture->cols = (int)field_integer_or(L, table, "cols", 0, what);
  if (!picture->kernel == !picture->model) luaL_error(L, "%s has either a kernel or a model", what);
  if (!picture->kernel != !picture->view) luaL_error(L, "%s: a kernel has a view, and a model has none", what);
}

static void read_pictures(lua_State *L, int table, CourseLesson *lesson, const char *what, LsArena *arena) {
  if (field_push(L, table, "pictures", LUA_TTABLE, what) != LUA_TNIL) {
    int list = lua_gettop(L), count = (int)lua_rawlen(L, list);
    if (count > PICTURES) luaL_error(L, "%s has %d pictures; it can have %d", what, count, PICTURES);
    CoursePicture *pictures = LS_NEW_ARRAY(arena, CoursePicture, count);
    for (int i = 0; i < count; i++) {
      const char *which = ls_arena_format(arena, "%s, picture %d", what, i + 1);
      if (lua_rawgeti(L, list, i + 1) != LUA_TTABLE) luaL_error(L, "%s must be a table", which);
      read_picture(L, lua_gettop(L), &pictures[i], which, arena);
      lua_pop(L, 1);
    }
    lesson->pictures = pictures;
    lesson->picture_count = count;
  }
  lua_pop(L, 1);
}

static void read_lesson(lua_State *L, int table, CourseLesson *lesson, LsArena *arena, int number) {
  const char *what = ls_arena_format(arena, "lesson %d", number);
  lesson->id = field_string(L, table, "id", what, arena);
  what = ls_arena_format(arena, "lesson '%s'", lesson->id);
  field_check_names(L, table, lesson_fields, what);
  lesson->name = field_string(L, table, "name", what, arena);
  lesson->title = field_string(L, table, "title", what, arena);
  lesson->glimpse = field_string(L, table, "glimpse", what, arena);
  lesson->kernels = field_list(L, table, "kernels", what, arena, &lesson->kernel_count, NULL);
  lesson->needs = field_list(L, table, "needs", what, arena, &lesson->need_count, NULL);
  lesson->minutes = (int)field_integer(L, table, "minutes", what);
  read_covers(L, table, &lesson->covers, what, arena);
  read_pictures(L, table, lesson, what, arena);
  lesson->file = field_string_or(L, table, "file", NULL, what, arena);
  lesson->steps = (int)field_integer_or(L, table, "steps", 0, what);
  lesson->questions = (int)field_integer_or(L, table, "questions", 0, what);
  if (lesson->file && (strchr(lesson->file, '/') || !ls_ends_with(lesson->file, ".lua")))
    luaL_error(L, "%s: file is the name of a .lua file beside course.lua", what);
}

static const CourseLesson *with_id(const Course *course, const char *id) {
  for (int i = 0; i < course->count; i++)
    if (strcmp(course->lessons[i].id, id) == 0) return &course->lessons[i];
  return NULL;
}

// A lesson can only need those before it.
static void check_lesson(lua_State *L, const Course *course, const CourseLesson *lesson) {
  if (with_id(course, lesson->id)) luaL_error(L, "two lessons are called '%s'", lesson->id);
  for (int i = 0; i < lesson->need_count; i++)
    if (!with_id(course, lesson->needs[i]))
      luaL_error(L, "lesson '%s' needs '%s', which does not come before it", lesson->id, lesson->needs[i]);
}

static void read_body(lua_State *L, void *context) {
  LuaCourse *course = context;
  script_push_file(L, "course.lua");
  luaL_checktype(L, 1, LUA_TTABLE);
  field_check_names(L, 1, course_fields, "the course");
  course->base.title = field_string(L, 1, "title", "the course", course->arena);
  if (field_push(L, 1, "lessons", LUA_TTABLE, "the course") == LUA_TNIL)
    luaL_error(L, "the course has no field 'lessons'");
  lua_Unsigned count = lua_rawlen(L, 2);
  if (count < 1 || count > COURSE_LIMIT)
    luaL_error(L, "the course has %I lessons; it can have 1 to %d", (LUAI_UACINT)count, COURSE_LIMIT);
  course->base.lessons = LS_NEW_ARRAY(course->arena, CourseLesson, count);
  for (int i = 0; i < (int)count; i++) {
    CourseLesson lesson = {0};
    if (lua_rawgeti(L, 2, i + 1) != LUA_TTABLE) luaL_error(L, "lesson %d must be a table", i + 1);
    read_lesson(L, 3, &lesson, course->arena, i + 1);
    check_lesson(L, &course->base, &lesson);
    course->base.lessons[course->base.count++] = lesson;
    lua_settop(L, 2);
  }
}

static LessonScript *open_lesson(Course *handle, const CourseLesson *lesson, LsErr *err) {
  return lesson_script_open(((LuaCourse *)handle)->folder, handle, lesson, err);
}

static LessonScript *open_drill(Course *handle, const CourseLesson *lesson, const CourseDrill *drill, LsErr *err) {
  return lesson_script_drill(((LuaCourse *)handle)->folder, handle, lesson, drill, err);
}

static bool list_skills(Course *handle, const CourseLesson *lesson, LsArena *arena, const char ***names, int *count,
                        LsErr *err) {
  return lesson_script_skills(((LuaCourse *)handle)->folder, handle, lesson, arena, names, count, err);
}

static bool list_claims(Course *handle, LsArena *arena, CourseClaim **list, int *count, LsErr *err) {
  return lesson_script_claims(((LuaCourse *)handle)->folder, handle, arena, list, count, err);
}

static bool list_museum(Course *handle, LsArena *arena, CourseRoom **list, int *count, LsErr *err) {
  return lesson_script_museum(((LuaCourse *)handle)->folder, handle, arena, list, count, err);
}

static bool list_families(Course *handle, LsArena *arena, CourseFamily **list, int *count, LsErr *err) {
  return lesson_script_families(((LuaCourse *)handle)->folder, handle, arena, list, count, err);
}

static bool list_demos(Course *handle, const char *name, LsArena *arena, CourseDemo **list, int *count, LsErr *err) {
  return lesson_script_demos(((LuaCourse *)handle)->folder, handle, name, arena, list, count, err);
}

static void free_course(Course *handle) {
  LuaCourse *course = (LuaCourse *)handle;
  ls_arena_free(course->arena);
  free(course->folder);
  free(course);
}

Course *course_open(const char *folder, LsErr *err) {
  char *path = folder ? ls_strdup(folder) : ls_data_path("lessons", err);
  if (!path) return NULL;
  LuaCourse *course = ls_alloc(sizeof *course);
  course->base.open = open_lesson;
  course->base.drill = open_drill;
  course->base.skills = list_skills;
  course->base.claims = list_claims;
  course->base.museum = list_museum;
  course->base.families = list_families;
  course->base.demos = list_demos;
  course->base.free = free_course;
  course->folder = path;
  course->arena = ls_arena_new();
  Script *script = script_new(path, err);
  bool ok = script && script_run(script, COURSE_BUDGET, read_body, course, err);
  script_free(script);
  if (ok) return &course->base;
  free_course(&course->base);
  return NULL;
}
