// lesson.c: a lesson as a coroutine, behind the interface of app/course/lesson.h.
#include "app/course/lesson.h"

#include <stdlib.h>
#include <string.h>

#include "script/fields.h"
#include "script/lesson.h"
#include "script/lesson_impl.h"
#include "script/lesson_read.h"
#include "script/mod_bank.h"
#include "script/mod_demo.h"
#include "script/mod_model.h"
#include "script/mod_run.h"
#include "script/state.h"

enum { STEP_BUDGET = 50000000, GOAL_BUDGET = 20000000 };

typedef struct LuaLesson {
  LessonScript base;
  Script *script;
  char *file;                      // "L03_warps.lua"
  const Course *course;            // the lesson's place in it; both borrowed
  const CourseLesson *info;
  const CourseDrill *drill;        // NULL: the lesson itself; borrowed
  lua_State *coroutine;            // in the registry under "coroutine"
} LuaLesson;

// ---- the library --------------------------------------------------------------------------------------------------

// drill_wish(): skill, seed, first, last
static int l_drill_wish(lua_State *L) {
  const LuaLesson *lesson = lua_touserdata(L, lua_upvalueindex(1));
  lua_pushstring(L, lesson->drill->skill);
  lua_pushinteger(L, (lua_Integer)lesson->drill->seed);
  lua_pushinteger(L, lesson->drill->first);
  lua_pushinteger(L, lesson->drill->last);
  return 4;
}

static void set_text(lua_State *L, const char *name, const char *text) {
  if (text) lua_pushstring(L, text);
  if (text) lua_setfield(L, -2, name);
}

// quiz_wish(): { family = "FQ5", lesson = "L11", mix = 10 }, each of them only where it is given
static int l_quiz_wish(lua_State *L) {
  const CourseQuiz *quiz = ((const LuaLesson *)lua_touserdata(L, lua_upvalueindex(1)))->drill->quiz;
  lua_newtable(L);
  set_text(L, "family", quiz->family);
  set_text(L, "lesson", quiz->lesson);
  if (quiz->mix) lua_pushinteger(L, quiz->mix);
  if (quiz->mix) lua_setfield(L, -2, "mix");
  return 1;
}

// claim_wish(): "C027"; room_wish(): "E57"
static int l_wish(lua_State *L) {
  const LuaLesson *lesson = lua_touserdata(L, lua_upvalueindex(1));
  lua_pushstring(L, lesson->drill->claim ? lesson->drill->claim : lesson->drill->room);
  return 1;
}

// exam_wish(): { { skill = "L11.count", seed = "1f03...", look = 0, class = "2.free" }, { family = "FQ5" }, ... }
static int l_exam_wish(lua_State *L) {
  const CourseExam *exam = ((const LuaLesson *)lua_touserdata(L, lua_upvalueindex(1)))->drill->exam;
  lua_createtable(L, exam->count, 0);
  for (int i = 0; i < exam->count; i++) {
    const CourseExamItem *item = &exam->items[i];
    lua_newtable(L);
    set_text(L, "skill", item->skill);
    set_text(L, "seed", item->seed);
    set_text(L, "class", item->class);
    set_text(L, "family", item->family);
    lua_pushinteger(L, item->look);
    lua_setfield(L, -2, "look");
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

typedef struct DrillKind { const char *file, *wish; lua_CFunction tells; } DrillKind;

static const DrillKind *kind_of_drill(const CourseDrill *drill) {
  static const DrillKind claim = {"lua/claim.lua", "claim_wish", l_wish}, room = {"lua/room.lua", "room_wish", l_wish},
      quiz = {"lua/quiz.lua", "quiz_wish", l_quiz_wish}, exam = {"lua/exam.lua", "exam_wish", l_exam_wish},
      skill = {"lua/drill.lua", "drill_wish", l_drill_wish},
      demo = {.file = "lua/stage.lua"};   // mod_demo.h tells which
  if (drill->demo) return &demo;
  return drill->claim ? &claim : drill->room ? &room : drill->quiz ? &quiz : drill->exam ? &exam : &skill;
}

static void open_wish(lua_State *L, const LuaLesson *lesson) {
  const DrillKind *kind = kind_of_drill(lesson->drill);
  lua_pushlightuserdata(L, (void *)lesson);
  lua_pushcclosure(L, kind->tells, 1);
  lua_setglobal(L, kind->wish);
}

// What lua/lesson.lua returns becomes global: say, predict, run, show, ...
static void open_library(lua_State *L, const LuaLesson *lesson) {
  mod_run_open(L);
  mod_model_open(L);
  mod_bank_open(L, lesson->course, lesson->info);
  mod_use_open(L);
  mod_demo_open(L, lesson->drill ? lesson->drill->demo : NULL);
  if (lesson->drill && !lesson->drill->demo) open_wish(L, lesson);
  script_push_file(L, "lua/lesson.lua");
  luaL_checktype(L, -1, LUA_TTABLE);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_setglobal(L, lua_tostring(L, -2));
  }
}

static void load_body(lua_State *L, void *context) {
  LuaLesson *lesson = context;
  open_library(L, lesson);
  lesson->coroutine = lua_newthread(L);
  lua_setfield(L, LUA_REGISTRYINDEX, "coroutine");
  script_load_file(L, lesson->file);
  lua_xmove(L, lesson->coroutine, 1);
}

// ---- going on -----------------------------------------------------------------------------------------------------

typedef struct Resume {
  LuaLesson *lesson;
  const LessonReply *reply;
  LsArena *arena;
  LessonStep *request;
} Resume;

static int push_reply(lua_State *co, const LessonReply *reply) {
  if (lua_status(co) != LUA_YIELD) return 0;       // the first time: the chunk takes no arguments
  if (reply->run) {
    mod_run_push(co, reply->run, reply->run_index, true);
    return 1;
  }
  if (reply->draws) {
    mod_bank_push(co, reply->draws);
    return 1;
  }
  if (reply->words) lua_pushstring(co, reply->words);
  else lua_pushnumber(co, reply->answer);
  lua_pushboolean(co, reply->right);
  lua_pushnumber(co, reply->score);
  return 3;
}

// The line of the lesson, or of a bank, that led to the yield, so that complaints about it have a place; 0 if there is
// none.
static int line_of_lesson(const LuaLesson *lesson, lua_Debug *debug) {
  for (int level = 0; lua_getstack(lesson->coroutine, level, debug); level++) {
    lua_getinfo(lesson->coroutine, "Sl", debug);
    if (debug->currentline > 0 && !ls_starts_with(debug->short_src, "lua/")) return debug->currentline;
  }
  return 0;
}

static void read_request(lua_State *L, const Resume *resume) {
  const LuaLesson *lesson = resume->lesson;
  lua_Debug debug;
  int line = line_of_lesson(lesson, &debug);
  bool named = !line && lua_istable(L, 1);
  const char *from = named ? field_string_or(L, 1, "from", "", "what the lesson asks for", resume->arena) : "";
  const char *place = line ? ls_arena_format(resume->arena, "%s:%d: ", debug.short_src, line) : from;
  lesson_read_request(L, 1, place, resume->arena, resume->request);
  if (!line) lesson_read_from(from, lesson->script->folder, resume->arena, &resume->request->want);
  if (!line) return;
  resume->request->want.file = ls_arena_format(resume->arena, "%s/%s", lesson->script->folder, debug.short_src);
  resume->request->want.line = line;
  LessonWork *work = resume->request->work;
  for (int i = 0; work && i < work->run_count; i++) {
    work->runs[i].file = resume->request->want.file;
    work->runs[i].line = line;
  }
}

static void resume_body(lua_State *L, void *context) {
  Resume *resume = context;
  lua_State *co = resume->lesson->coroutine;
  int results;
  script_arm(co);
  if (!lua_checkstack(co, 4)) luaL_error(L, "the lesson's stack is full");
  int status = script_resume(co, L, push_reply(co, resume->reply), &results);
  if (status == LUA_OK) {
    *resume->request = (LessonStep){.kind = LESSON_END};
    return;
  }
  lua_xmove(co, L, status == LUA_YIELD ? results : 1);
  if (status != LUA_YIELD) lua_error(L);
  if (results < 1) luaL_error(L, "the lesson asks for nothing");
  read_request(L, resume);
}

static bool lesson_resume(LessonScript *handle, const LessonReply *reply, LsArena *arena, LessonStep *request,
                          LsErr *err) {
  LuaLesson *lesson = (LuaLesson *)handle;
  Resume resume = {lesson, reply, arena, request};
  return script_run(lesson->script, STEP_BUDGET, resume_body, &resume, err);
}

// ---- goals --------------------------------------------------------------------------------------------------------

typedef struct Judging { int goal; const LessonTried *tried; bool met; LsText *note; } Judging;

static void judge_body(lua_State *L, void *context) {
  Judging *judging = context;
  lua_rawgeti(L, LUA_REGISTRYINDEX, judging->goal);
  if (judging->tried->model) mod_model_push(L, judging->tried->model, judging->tried->values);
  else mod_run_push(L, judging->tried->run, -1, false);
  lua_call(L, 1, 2);
  judging->met = lua_toboolean(L, -2);
  if (lua_type(L, -1) == LUA_TSTRING) ls_text_add(judging->note, lua_tostring(L, -1));
}

static bool lesson_reached(LessonScript *handle, int goal, const LessonTried *tried, bool *met, LsText *note,
                           LsErr *err) {
  LuaLesson *lesson = (LuaLesson *)handle;
  Judging judging = {goal, tried, false, note};
  bool ok = script_run(lesson->script, GOAL_BUDGET, judge_body, &judging, err);
  *met = ok && judging.met;
  return ok;
}

static void lesson_script_free(LessonScript *handle) {
  LuaLesson *lesson = (LuaLesson *)handle;
  script_free(lesson->script);
  free(lesson->file);
  free(lesson);
}

static LuaLesson *open_file(const char *folder, const Course *course, const CourseLesson *info, const char *file,
                            const CourseDrill *drill, LsErr *err) {
  LuaLesson *lesson = ls_alloc(sizeof *lesson);
  lesson->base = (LessonScript){lesson_resume, lesson_reached, lesson_script_free};
  lesson->file = ls_strdup(file);
  lesson->course = course;
  lesson->info = info;
  lesson->drill = drill;
  lesson->script = script_new(folder, err);
  if (lesson->script && script_run(lesson->script, STEP_BUDGET, load_body, lesson, err)) return lesson;
  lesson_script_free(&lesson->base);
  return NULL;
}

LessonScript *lesson_script_open(const char *folder, const Course *course, const CourseLesson *info, LsErr *err) {
  return (LessonScript *)open_file(folder, course, info, info->file, NULL, err);
}

LessonScript *lesson_script_drill(const char *folder, const Course *course, const CourseLesson *info,
                                  const CourseDrill *drill, LsErr *err) {
  return (LessonScript *)open_file(folder, course, info, kind_of_drill(drill)->file, drill, err);
}

typedef struct Skills { const char *id; LsArena *arena; const char ***names; int *count; } Skills;

static void list_skills_body(lua_State *L, void *context) {
  Skills *skills = context;
  lua_pushcfunction(L, script_use);
  lua_pushliteral(L, "bank");
  lua_call(L, 1, 1);
  lua_getfield(L, -1, "of");
  lua_pushstring(L, skills->id);
  lua_call(L, 1, 1);
  *skills->count = (int)lua_rawlen(L, -1);
  *skills->names = LS_NEW_ARRAY(skills->arena, const char *, *skills->count);
  int list = lua_gettop(L);
  for (int i = 0; i < *skills->count; i++) {
    lua_rawgeti(L, list, i + 1);
    (*skills->names)[i] = field_string(L, lua_gettop(L), "name", "a skill", skills->arena);
    lua_settop(L, list);
  }
}

bool lesson_script_skills(const char *folder, const Course *course, const CourseLesson *info, LsArena *arena,
                          const char ***names, int *count, LsErr *err) {
  LuaLesson *lesson = open_file(folder, course, info, "lua/drill.lua", NULL, err);
  Skills skills = {info->id, arena, names, count};
  bool ok = lesson && script_run(lesson->script, STEP_BUDGET, list_skills_body, &skills, err);
  if (lesson) lesson_script_free(&lesson->base);
  return ok;
}

// ---- claims, rooms, families ---------------------------------------------------------------------------------------

typedef struct Rows {
  const char *library;             // "claims"
  size_t size;
  void (*read)(lua_State *L, int table, void *row, LsArena *arena);
  LsArena *arena;
  void *list; int count;
} Rows;

static void read_claim(lua_State *L, int table, void *row, LsArena *arena) {
  CourseClaim *claim = row;
  claim->id = field_string(L, table, "id", "a claim", arena);
  claim->topic = field_string(L, table, "topic", "a claim", arena);
  claim->says = field_string(L, table, "says", "a claim", arena);
  claim->verdict = field_string(L, table, "verdict", "a claim", arena);
  claim->on = field_string_or(L, table, "on", NULL, "a claim", arena);
  claim->erratum = field_string_or(L, table, "erratum", NULL, "a claim", arena);
  claim->lesson = field_string_or(L, table, "lesson", NULL, "a claim", arena);
  claim->why = field_string_or(L, table, "because", NULL, "a claim", arena);
  if (!claim->why) claim->why = field_string_or(L, table, "takes", NULL, "a claim", arena);
}

static void read_room(lua_State *L, int table, void *row, LsArena *arena) {
  CourseRoom *room = row;
  room->id = field_string(L, table, "id", "a room", arena);
  room->title = field_string(L, table, "title", "a room", arena);
  room->wing = field_string(L, table, "wing", "a room", arena);
  room->says = field_string(L, table, "says", "a room", arena);
  room->cure = field_string(L, table, "cure", "a room", arena);
  room->kernel = field_string_or(L, table, "kernel", NULL, "a room", arena);
  room->form = field_string_or(L, table, "form", NULL, "a room", arena);
  room->kind = field_string_or(L, table, "kind", NULL, "a room", arena);
  room->lesson = field_string_or(L, table, "lesson", NULL, "a room", arena);
  room->source = field_string_or(L, table, "source", NULL, "a room", arena);
}

static void read_family(lua_State *L, int table, void *row, LsArena *arena) {
  CourseFamily *family = row;
  family->id = field_string(L, table, "id", "a family", arena);
  family->topic = field_string(L, table, "topic", "a family", arena);
  family->where = field_string(L, table, "where", "a family", arena);
  family->lesson = field_string(L, table, "lesson", "a family", arena);
  family->skills = field_list(L, table, "skills", "a family", arena, &family->skill_count, NULL);
  family->open = field_bool(L, table, "open", "a family");
}

static void read_wants(lua_State *L, int table, CourseDemo *demo, LsArena *arena) {
  field_push(L, table, "wants", LUA_TTABLE, "a demo");
  int list = lua_gettop(L), count = (int)lua_rawlen(L, list);
  LessonWant *wants = LS_NEW_ARRAY(arena, LessonWant, count + 1);
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, list, i + 1);
    lesson_read_want(L, list + 1, "a scene", script_of(L)->folder, arena, &wants[i]);
    lua_settop(L, list);
  }
  lua_settop(L, list - 1);
  demo->wants = wants;
  demo->want_count = count;
}

static void read_demo(lua_State *L, int table, void *row, LsArena *arena) {
  CourseDemo *demo = row;
  demo->name = field_string(L, table, "name", "a demo", arena);
  demo->title = field_string(L, table, "title", "a demo", arena);
  demo->where = field_string_or(L, table, "where", NULL, "a demo", arena);
  demo->note = field_string_or(L, table, "note", NULL, "a demo", arena);
  lua_getfield(L, table, "minutes");
  demo->minutes = lua_tonumber(L, -1);
  lua_pop(L, 1);
  demo->scenes = (int)field_integer(L, table, "scenes", "a demo");
  demo->beats = (int)field_integer(L, table, "beats", "a demo");
  demo->asks = (int)field_integer(L, table, "asks", "a demo");
  read_wants(L, table, demo, arena);
}

static void rows_body(lua_State *L, void *context) {
  Rows *rows = context;
  lua_pushcfunction(L, script_use);
  lua_pushstring(L, rows->library);
  lua_call(L, 1, 1);
  lua_getfield(L, -1, "all");
  lua_call(L, 0, 1);
  int list = lua_gettop(L), count = (int)lua_rawlen(L, -1);
  rows->list = ls_arena_alloc(rows->arena, rows->size * (size_t)(count + 1));
  for (rows->count = 0; rows->count < count; rows->count++) {
    lua_rawgeti(L, list, rows->count + 1);
    rows->read(L, list + 1, (char *)rows->list + rows->size * (size_t)rows->count, rows->arena);
    lua_settop(L, list);
  }
}

static bool list_of(const char *folder, const Course *course, const CourseDrill *drill, Rows *rows, LsErr *err) {
  LuaLesson *lesson = open_file(folder, course, &course->lessons[0], "lua/drill.lua", drill, err);
  bool ok = lesson && script_run(lesson->script, STEP_BUDGET, rows_body, rows, err);
  if (lesson) lesson_script_free(&lesson->base);
  return ok;
}

static bool list_rows(const char *folder, const Course *course, Rows *rows, LsErr *err) {
  return list_of(folder, course, NULL, rows, err);
}

bool lesson_script_claims(const char *folder, const Course *course, LsArena *arena, CourseClaim **list, int *count,
                          LsErr *err) {
  Rows rows = {.library = "claims", .size = sizeof **list, .read = read_claim, .arena = arena};
  bool ok = list_rows(folder, course, &rows, err);
  *list = rows.list;
  *count = rows.count;
  return ok;
}

bool lesson_script_museum(const char *folder, const Course *course, LsArena *arena, CourseRoom **list, int *count,
                          LsErr *err) {
  Rows rows = {.library = "museum", .size = sizeof **list, .read = read_room, .arena = arena};
  bool ok = list_rows(folder, course, &rows, err);
  *list = rows.list;
  *count = rows.count;
  return ok;
}

bool lesson_script_families(const char *folder, const Course *course, LsArena *arena, CourseFamily **list, int *count,
                            LsErr *err) {
  Rows rows = {.library = "families", .size = sizeof **list, .read = read_family, .arena = arena};
  bool ok = list_rows(folder, course, &rows, err);
  *list = rows.list;
  *count = rows.count;
  return ok;
}

bool lesson_script_demos(const char *folder, const Course *course, const char *name, LsArena *arena, CourseDemo **list,
                         int *count, LsErr *err) {
  Rows rows = {.library = "demo", .size = sizeof **list, .read = read_demo, .arena = arena};
  CourseDrill drill = {.demo = name};
  bool ok = list_of(folder, course, name ? &drill : NULL, &rows, err);
  *list = rows.list;
  *count = rows.count;
  return ok;
}
