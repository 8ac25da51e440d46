// lesson_read.c: checks what a lesson yields, field by field. lua/lesson.lua makes these tables.
#include "script/lesson_read.h"

#include <math.h>
#include <string.h>

#include "script/fields.h"
#include "script/mod_model.h"
#include "script/mod_run.h"

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

static double number_field(Reader *r, const char *name, double fallback) {
  double value = fallback;
  if (field_push(r->L, r->table, name, LUA_TNUMBER, r->what) != LUA_TNIL) value = lua_tonumber(r->L, -1);
  lua_pop(r->L, 1);
  return value;
}

static int word_field(Reader *r, const char *name, const char *const *words, int count) {
  const char *word = need_text(r, name);
  for (int i = 0; i < count; i++)
    if (strcmp(word, words[i]) == 0) return i;
  return luaL_error(r->L, "%s: field '%s' cannot be \"%s\"", r->what, name, word);
}

static void check_answer(Reader *r, const LessonQuestion *question) {
  if (isnan(question->answer)) luaL_error(r->L, "%s has no field 'answer', or it is not a number", r->what);
  bool whole = question->answer == floor(question->answer);
  if (question->kind == QUESTION_CHOICE &&
      (!whole || question->answer < 0 || question->answer >= question->option_count))
    luaL_error(r->L, "%s: the answer is not one of the %d options", r->what, question->option_count);
  if (question->kind == QUESTION_MASK && (!whole || question->answer < 0 || question->answer > (double)UINT32_MAX))
    luaL_error(r->L, "%s: the answer is not a mask of 32 lanes", r->what);
  if (!(question->tolerance >= 0) || isinf(question->answer))
    luaL_error(r->L, "%s: the answer or its tolerance is wrong", r->what);
}

static void read_question(Reader *r) {
  static const char *const kinds[] = {"choice", "number", "mask"};
  LessonQuestion *question = &r->step->question;
  question->kind = (QuestionKind)word_field(r, "question", kinds, LS_COUNT(kinds));
  question->prompt = need_text(r, "prompt");
  question->options = list_field(r, "options", &question->option_count);
  question->unit = text_field(r, "unit");
  question->answer = number_field(r, "answer", NAN);
  question->tolerance = number_field(r, "tolerance", 0);
  question->tips = list_field(r, "tips", &question->tip_count);
  question->because = text_field(r, "because");
  question->skill = field_string_or(r->L, r->table, "skill", NULL, r->what, r->arena);
  question->again = field_bool(r->L, r->table, "again", r->what);
  if (question->kind == QUESTION_CHOICE && (question->option_count < 2 || question->option_count > 9))
    luaL_error(r->L, "%s: a choice has 2 to 9 options", r->what);
  check_answer(r, question);
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

static void read_want(Reader *r) {
  LessonWant *want = &r->step->want;
  want->kernel = need_text(r, "kernel");
  want->values = list_field(r, "values", &want->value_count);
  want->sched = field_string_or(r->L, r->table, "sched", NULL, r->what, r->arena);
  want->cut = field_string_or(r->L, r->table, "cut", NULL, r->what, r->arena);
  if (want->sched && strcmp(want->sched, "its") != 0 && strcmp(want->sched, "stack") != 0)
    luaL_error(r->L, "%s: sched is \"its\" or \"stack\"", r->what);
  if (want->cut && strcmp(want->cut, "written") != 0 && strcmp(want->cut, "compiled") != 0)
    luaL_error(r->L, "%s: cut is \"written\" or \"compiled\"", r->what);
}

static void read_draw(Reader *r) {
  LessonDrawWant *want = &r->step->draw;
  want->slot = need_text(r, "slot");
  want->skills = list_field(r, "skills", &want->skill_count);
  want->wanted = (int)field_integer(r->L, r->table, "count", r->what);
  want->needed = (int)field_integer(r->L, r->table, "needed", r->what);
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

static void read_model(Reader *r, const char *name) {
  LessonPlace *place = &r->step->place;
  lua_getfield(r->L, r->table, "values");
  place->model = mod_model_read(r->L, name, lua_gettop(r->L), r->what, &place->values);
  lua_pop(r->L, 1);
}

static void read_place(Reader *r) {
  LessonPlace *place = &r->step->place;
  *place = (LessonPlace){.run = -1};
  lua_getfield(r->L, r->table, "run");
  if (!lua_isnil(r->L, -1)) place->run = mod_run_index(r->L, -1);
  lua_pop(r->L, 1);
  const char *model = field_string_or(r->L, r->table, "model", NULL, r->what, r->arena);
  if (model) read_model(r, model);
  place->step = (uint64_t)LS_MAX(0, field_integer_or(r->L, r->table, "step", 0, r->what));
  place->block = field_integer_or(r->L, r->table, "block", -1, r->what);
  place->warp = index_field(r, "warp");
  place->lane = index_field(r, "lane");
  place->variant = index_field(r, "variant");
  place->focus = focus_field(r);
  place->margin = margin_field(r);
  place->zoom = field_bool(r->L, r->table, "zoom", r->what);
  place->show_ptx = field_bool(r->L, r->table, "ptx", r->what);
  place->hex = field_bool(r->L, r->table, "hex", r->what);
}

void lesson_read_request(lua_State *L, int table, const char *place, LsArena *arena, LessonStep *step) {
  static const char *const kinds[] = {"say", "predict", "explain", "try", "check", "end", "run", "show",
                                      "draw"};   // LessonKind
  Reader r = {L, table, ls_arena_format(arena, "%swhat the lesson asks for", place), arena, step};
  if (!lua_istable(L, table)) luaL_error(L, "%s: a %s, not a table", r.what, luaL_typename(L, table));
  *step = (LessonStep){.kind = (LessonKind)word_field(&r, "kind", kinds, LS_COUNT(kinds))};
  r.what = ls_arena_format(arena, "%s%s", place, kinds[step->kind]);
  if (step->kind == LESSON_RUN) {
    read_want(&r);
  } else if (step->kind == LESSON_SHOW) {
    read_place(&r);
  } else if (step->kind == LESSON_DRAW) {
    read_draw(&r);
  } else {
    step->title = text_field(&r, "title");
    step->text = text_field(&r, "text");
    if (step->kind == LESSON_PREDICT || step->kind == LESSON_CHECK) read_question(&r);
    if (step->kind == LESSON_TRY) read_goal(&r);
    if (step->kind == LESSON_END) step->missed = LS_MAX(index_field(&r, "missed"), 0);
  }
}
