// lesson_read.c: checks what a lesson yields, field by field. lua/lesson.lua makes these tables.
#include "script/lesson_read.h"

#include <stdlib.h>
#include <string.h>

#include "script/fields.h"
#include "script/mod_model.h"
#include "script/mod_run.h"
#include "script/question_read.h"
#include "script/work_read.h"

typedef struct Reader { lua_State *L; int table; const char *what; LsArena *arena; LessonStep *step; } Reader;

static const char *text_field(Reader *r, const char *name) {
  return field_string_or(r->L, r->table, name, "", r->what, r->arena);
}

static const char *need_text(Reader *r, const char *name) {
  return field_string(r->L, r->table, name, r->what, r->arena);
}

static const char **list_field(Reader *r, const char *name, int *count) {
  return field_list(r->L, r->table, name, r->what, r->arena, count, NULL);
}
static int index_field(Reader *r, const char *name) { return (int)field_integer_or(r->L, r->table, name, -1, r->what); }

static int word_field(Reader *r, const char *name, const char *const *words, int count) {
  const char *word = need_text(r, name);
  for (int i = 0; i < count; i++)
    if (strcmp(word, words[i]) == 0) return i;
  return luaL_error(r->L, "%s: field '%s' cannot be \"%s\"", r->what, name, word);
}

static void read_goal(Reader *r) {
  LessonGoal *goal = &r->step->goal;
  goal->wanted = need_text(r, "goal");
  goal->params = list_field(r, "params", &goal->param_count);
  goal->solution = list_field(r, "solution", &goal->solution_count);
  goal->tips = list_field(r, "tips", &goal->tip_count);
  if (!goal->solution_count) luaL_error(r->L, "%s has no solution: --auto and the tests need one", r->what);
  field_function(r->L, r->table, "reached", r->what);
  lua_getfield(r->L, r->table, "reached");
  goal->script = luaL_ref(r->L, LUA_REGISTRYINDEX);
}

static void read_work(Reader *r) {
  LessonGoal *goal = &r->step->goal;
  goal->wanted = text_field(r, "goal");
  goal->tips = list_field(r, "tips", &goal->tip_count);
  r->step->work = work_read(r->L, r->table, r->what, r->arena);
}

// One of two words; NULL if the lesson says nothing.
static const char *either_field(Reader *r, const char *name, const char *one, const char *other) {
  const char *word = field_string_or(r->L, r->table, name, NULL, r->what, r->arena);
  if (word && strcmp(word, one) != 0 && strcmp(word, other) != 0)
    luaL_error(r->L, "%s: %s is \"%s\" or \"%s\"", r->what, name, one, other);
  return word;
}

static void read_want(Reader *r) {
  LessonWant *want = &r->step->want;
  want->kernel = need_text(r, "kernel");
  want->values = list_field(r, "values", &want->value_count);
  want->sched = either_field(r, "sched", "its", "stack");
  want->cut = either_field(r, "cut", "written", "compiled");
  want->order = either_field(r, "order", "turns", "whole");
  want->device = either_field(r, "device", "emu", "recorded");
  want->sizes = either_field(r, "sizes", "timing", "lecture");
  want->profile = field_string_or(r->L, r->table, "profile", NULL, r->what, r->arena);
  want->seed = (uint64_t)field_integer_or(r->L, r->table, "seed", 0, r->what);
  want->order_of = field_string_or(r->L, r->table, "order_of", NULL, r->what, r->arena);
  want->launch = (int)field_integer_or(r->L, r->table, "launch", 0, r->what);
}

void lesson_read_from(const char *from, const char *folder, LsArena *arena, LessonWant *want) {
  const char *colon = strchr(from, ':');
  bool is_path = from[0] == '/' || from[0] == '.';
  if (!colon) return;
  want->line = (int)strtol(colon + 1, NULL, 10);
  want->file = ls_arena_format(arena, "%s%s%.*s", is_path ? "" : folder, is_path ? "" : "/", (int)(colon - from), from);
}

void lesson_read_want(lua_State *L, int table, const char *what, const char *folder, LsArena *arena, LessonWant *want) {
  LessonStep step = {0};
  Reader r = {L, table, what, arena, &step};
  read_want(&r);
  *want = step.want;
  lesson_read_from(text_field(&r, "from"), folder, arena, want);
}

static void read_draw(Reader *r) {
  LessonDrawWant *want = &r->step->draw;
  want->slot = need_text(r, "slot");
  want->skills = list_field(r, "skills", &want->skill_count);
  want->wanted = (int)field_integer(r->L, r->table, "count", r->what);
  want->needed = (int)field_integer(r->L, r->table, "needed", r->what);
  want->due = field_bool(r->L, r->table, "due", r->what);
}

static void read_writing(Reader *r) {
  LessonWriting *writing = LS_NEW(r->arena, LessonWriting);
  writing->is_list = field_bool(r->L, r->table, "list", r->what);
  writing->model = need_text(r, "model");
  r->step->question.prompt = need_text(r, "prompt");
  const char **points = list_field(r, "points", &writing->point_count);
  writing->points = LS_NEW_ARRAY(r->arena, WritingPoint, writing->point_count + 1);
  for (int i = 0; i < writing->point_count; i++) writing->points[i] = (WritingPoint){.says = points[i], .word = -1};
  if (writing->is_list != !writing->point_count || writing->point_count > WRITING_POINTS)
    luaL_error(r->L, "%s: a rubric has 1 to %d points", r->what, WRITING_POINTS);
  r->step->writing = writing;
}

static int focus_field(Reader *r) {
  const char *name = text_field(r, "focus");
  if (!*name || strcmp(name, "auto") == 0) return -1;
  for (int focus = 0; focus < FOCUS_COUNT; focus++)
    if (strcmp(focus_name((FocusKind)focus), name) == 0) return focus;
  return luaL_error(r->L, "%s: there is no focus '%s'", r->what, name);
}

static int margin_field(Reader *r) {
  const char *name = text_field(r, "margin");
  if (!*name) return -1;
  for (int margin = 0; margin < ses_margin_count(); margin++)
    if (strcmp(ses_margin_name(margin), name) == 0) return margin;
  return luaL_error(r->L, "%s: there is no margin '%s'", r->what, name);
}

static void read_model(Reader *r, const char *name, LessonPlace *place) {
  lua_getfield(r->L, r->table, "values");
  place->model = mod_model_read(r->L, name, lua_gettop(r->L), r->what, &place->values);
  lua_pop(r->L, 1);
}

static void read_place(Reader *r, LessonPlace *place) {
  *place = (LessonPlace){.run = -1, .beside = -1, .label = text_field(r, "label")};
  lua_getfield(r->L, r->table, "run");
  if (!lua_isnil(r->L, -1)) place->run = mod_run_index(r->L, -1);
  lua_pop(r->L, 1);
  lua_getfield(r->L, r->table, "beside");
  if (!lua_isnil(r->L, -1)) place->beside = mod_run_index(r->L, -1);
  lua_pop(r->L, 1);
  const char *model = field_string_or(r->L, r->table, "model", NULL, r->what, r->arena);
  if (model) read_model(r, model, place);
  place->step = (uint64_t)LS_MAX(0, field_integer_or(r->L, r->table, "step", 0, r->what));
  place->block = field_integer_or(r->L, r->table, "block", -1, r->what);
  place->warp = index_field(r, "warp");
  place->lane = index_field(r, "lane");
  place->variant = index_field(r, "variant");
  place->focus = focus_field(r);
  place->margin = margin_field(r);
  place->zoom = field_bool(r->L, r->table, "zoom", r->what);
  place->code = field_bool(r->L, r->table, "code", r->what);
  place->show_ptx = field_bool(r->L, r->table, "ptx", r->what);
  place->hex = field_bool(r->L, r->table, "hex", r->what);
}

// A place in a table of its own, as of show. False if there is none.
static bool read_place_of(Reader *r, const char *name, LessonPlace *place) {
  bool has = field_push(r->L, r->table, name, LUA_TTABLE, r->what) != LUA_TNIL;
  Reader inner = *r;
  inner.table = lua_gettop(r->L);
  if (has) read_place(&inner, place);
  lua_pop(r->L, 1);
  return has;
}

static void read_asked(Reader *r) {
  question_read(r->L, r->table, r->what, r->arena, &r->step->question);
  r->step->skill = field_string_or(r->L, r->table, "skill", NULL, r->what, r->arena);
  r->step->class = field_string_or(r->L, r->table, "class", NULL, r->what, r->arena);
  r->step->times = index_field(r, "draws_before");
  r->step->again = field_bool(r->L, r->table, "again", r->what);
  r->step->hides = field_bool(r->L, r->table, "hides", r->what);
  r->step->sees = read_place_of(r, "after", &r->step->after);
  r->step->opens = read_place_of(r, "opens", &r->step->behind);
}

static LessonStaging *read_staging(Reader *r) {
  static const char *const kinds[] = {"scene", "ask", "reveal", "whatif", "keep"};   // StageKind
  LessonStaging *stage = NULL;
  if (field_push(r->L, r->table, "stage", LUA_TTABLE, r->what) != LUA_TNIL) {
    Reader inner = *r;
    inner.table = lua_gettop(r->L);
    stage = LS_NEW(r->arena, LessonStaging);
    stage->kind = (StageKind)word_field(&inner, "kind", kinds, LS_COUNT(kinds));
    stage->scene = (int)field_integer(r->L, inner.table, "scene", r->what);
    stage->note = field_string_or(r->L, inner.table, "note", NULL, r->what, r->arena);
    stage->seconds = (int)field_integer_or(r->L, inner.table, "seconds", 0, r->what);
    stage->big = field_bool(r->L, inner.table, "big", r->what);
    stage->hide = field_bool(r->L, inner.table, "hide", r->what);
    stage->change = field_string_or(r->L, inner.table, "change", NULL, r->what, r->arena);
  }
  lua_pop(r->L, 1);
  return stage;
}

static LessonClaim *read_claim(Reader *r) {
  LessonClaim *claim = NULL;
  if (field_push(r->L, r->table, "claim", LUA_TTABLE, r->what) != LUA_TNIL) {
    int table = lua_gettop(r->L);
    claim = LS_NEW(r->arena, LessonClaim);
    claim->value = field_string_or(r->L, table, "value", NULL, r->what, r->arena);
    claim->now = field_string_or(r->L, table, "now", NULL, r->what, r->arena);
    claim->today = field_string_or(r->L, table, "today", NULL, r->what, r->arena);
    claim->verdict = field_string(r->L, table, "verdict", r->what, r->arena);
    claim->agrees = field_bool(r->L, table, "agrees", r->what);
  }
  lua_pop(r->L, 1);
  return claim;
}

void lesson_read_request(lua_State *L, int table, const char *place, LsArena *arena, LessonStep *step) {
  static const char *const kinds[] = {"say", "predict", "explain", "try", "check", "work", "write", "end", "run",
                                      "show",
                                      "draw", "skills", "checked", "scored"};   // LessonKind
  Reader r = {L, table, ls_arena_format(arena, "%swhat the lesson asks for", place), arena, step};
  if (!lua_istable(L, table)) luaL_error(L, "%s: a %s, not a table", r.what, luaL_typename(L, table));
  *step = (LessonStep){.kind = (LessonKind)word_field(&r, "kind", kinds, LS_COUNT(kinds))};
  r.what = ls_arena_format(arena, "%s%s", place, kinds[step->kind]);
  if (step->kind == LESSON_RUN) {
    read_want(&r);
  } else if (step->kind == LESSON_SHOW) {
    read_place(&r, &step->place);
  } else if (step->kind == LESSON_DRAW) {
    read_draw(&r);
  } else if (step->kind == LESSON_SKILLS) {
    step->draw.skills = list_field(&r, "skills", &step->draw.skill_count);
  } else if (step->kind == LESSON_SCORED) {
    step->skill = need_text(&r, "skill");
    step->times = index_field(&r, "draws_before");
    step->checked = (SkillCheck){.right = index_field(&r, "right"), .total = index_field(&r, "total")};
  } else if (step->kind == LESSON_CHECKED) {
    int right = index_field(&r, "right"), total = index_field(&r, "total");
    step->checked = (SkillCheck){right, total, field_bool(L, table, "passed", r.what)};
  } else {
    step->id = text_field(&r, "id");
    step->title = text_field(&r, "title");
    step->text = text_field(&r, "text");
    if (step->kind == LESSON_PREDICT || step->kind == LESSON_CHECK) read_asked(&r);
    if (step->kind == LESSON_TRY) read_goal(&r);
    if (step->kind == LESSON_WORK) read_work(&r);
    if (step->kind == LESSON_WRITE) read_writing(&r);
    step->stage = read_staging(&r);
    if (step->kind == LESSON_END) step->missed = LS_MAX(index_field(&r, "missed"), 0);
    if (step->kind == LESSON_END) step->next = field_string_or(L, table, "next", NULL, r.what, arena);
    if (step->kind == LESSON_END) step->claim = read_claim(&r);
  }
}
