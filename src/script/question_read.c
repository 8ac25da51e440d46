// question_read.c: checks the fields of a question, and that its answer is one.
#include "script/question_read.h"

#include <math.h>
#include <string.h>

#include "script/fields.h"

typedef struct Reader { lua_State *L; int table; const char *what; LsArena *arena; } Reader;

static const char **list_field(const Reader *r, const char *name, int *count) {
  return field_list(r->L, r->table, name, r->what, r->arena, count, NULL);
}

static double number_field(const Reader *r, const char *name, double fallback) {
  double value = fallback;
  if (field_push(r->L, r->table, name, LUA_TNUMBER, r->what) != LUA_TNIL) value = lua_tonumber(r->L, -1);
  lua_pop(r->L, 1);
  return value;
}

// A list of numbers; those that are none are NAN.
static double *numbers_field(const Reader *r, const char *name, int *count) {
  *count = 0;
  if (field_push(r->L, r->table, name, LUA_TTABLE, r->what) == LUA_TNIL) return lua_pop(r->L, 1), NULL;
  lua_Unsigned length = lua_rawlen(r->L, -1);
  if (length > INT16_MAX) luaL_error(r->L, "%s: field '%s' is too long", r->what, name);
  double *numbers = LS_NEW_ARRAY(r->arena, double, length + 1);
  for (lua_Unsigned i = 0; i < length; i++) {
    numbers[i] = lua_rawgeti(r->L, -1, (lua_Integer)i + 1) == LUA_TNUMBER ? lua_tonumber(r->L, -1) : NAN;
    lua_pop(r->L, 1);
  }
  lua_pop(r->L, 1);
  *count = (int)length;
  return numbers;
}

static QuestionKind kind_field(const Reader *r) {
  static const char *const kinds[] = {"choice", "number", "mask", "several", "order", "line", "text"};   // QuestionKind
  const char *word = field_string(r->L, r->table, "question", r->what, r->arena);
  for (int i = 0; i < LS_COUNT(kinds); i++)
    if (strcmp(word, kinds[i]) == 0) return (QuestionKind)i;
  return (QuestionKind)luaL_error(r->L, "%s: there is no question of kind '%s'", r->what, word);
}

static void read_wrong(const Reader *r, LessonQuestion *question) {
  int key_count;
  double *keys = numbers_field(r, "wrong_keys", &key_count);
  const char **says = list_field(r, "wrong_texts", &question->wrong_count);
  if (key_count != question->wrong_count) luaL_error(r->L, "%s: 'wrong' has keys without texts", r->what);
  QuestionWrong *wrong = LS_NEW_ARRAY(r->arena, QuestionWrong, key_count + 1);
  for (int i = 0; i < key_count; i++) wrong[i] = (QuestionWrong){keys[i], says[i]};
  question->wrong = wrong;
}

static bool is_whole_in(double value, double least, double most) {
  return value == floor(value) && value >= least && value <= most;
}

static void check_answer(const Reader *r, const LessonQuestion *question) {
  double answer = question->answer;
  int count = question->option_count;
  if (isnan(answer)) luaL_error(r->L, "%s has no field 'answer', or it is not a number", r->what);
  if (question->kind == QUESTION_CHOICE && !is_whole_in(answer, 0, count - 1))
    luaL_error(r->L, "%s: the answer is not one of the %d options", r->what, count);
  if (question->kind == QUESTION_MASK && !is_whole_in(answer, 0, (double)UINT32_MAX))
    luaL_error(r->L, "%s: the answer is not a mask of 32 lanes", r->what);
  if (question->kind == QUESTION_LINE && !is_whole_in(answer, 1, count))
    luaL_error(r->L, "%s: the source has %d lines; %f is none of them", r->what, count, answer);
  if (!(question->tolerance >= 0) || isinf(answer))
    luaL_error(r->L, "%s: the answer or its tolerance is wrong", r->what);
  const char *says = question_says_of_right(question);
  if (says) luaL_error(r->L, "%s: this belongs to the right answer, not to a wrong one: \"%s\"", r->what, says);
}

static void check_options(const Reader *r, const LessonQuestion *question) {
  bool few = question->kind == QUESTION_CHOICE || question->kind == QUESTION_SEVERAL;
  if (few && (question->option_count < 2 || question->option_count > QUESTION_OPTIONS))
    luaL_error(r->L, "%s: a choice has 2 to %d options", r->what, QUESTION_OPTIONS);
  if (question->kind == QUESTION_ORDER && (question->option_count < 2 || question->option_count > QUESTION_LINES))
    luaL_error(r->L, "%s: an order has 2 to %d lines", r->what, QUESTION_LINES);
}

void question_read(lua_State *L, int table, const char *what, LsArena *arena, LessonQuestion *question) {
  const Reader reader = {L, table, what, arena}, *r = &reader;
  question->kind = kind_field(r);
  question->prompt = field_string(L, table, "prompt", what, arena);
  question->options = list_field(r, "options", &question->option_count);
  question->unit = field_string_or(L, table, "unit", "", what, arena);
  question->answer = number_field(r, "answer", NAN);
  question->tolerance = number_field(r, "tolerance", 0);
  question->others = numbers_field(r, "others", &question->other_count);
  question->spare = (int)field_integer_or(L, table, "spare", 0, what);
  question->sure = field_bool(L, table, "sure", what);
  question->tips = list_field(r, "tips", &question->tip_count);
  question->because = field_string_or(L, table, "because", "", what, arena);
  read_wrong(r, question);
  check_options(r, question);
  check_answer(r, question);
}
