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
  static const char *const kinds[] = {"choice", "number", "mask"};   // QuestionKind
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

static void check_answer(const Reader *r, const LessonQuestion *question) {
  if (isnan(question->answer)) luaL_error(r->L, "%s has no field 'answer', or it is not a number", r->what);
  bool whole = question->answer == floor(question->answer);
  if (question->kind == QUESTION_CHOICE &&
      (!whole || question->answer < 0 || question->answer >= question->option_count))
    luaL_error(r->L, "%s: the answer is not one of the %d options", r->what, question->option_count);
  if (question->kind == QUESTION_MASK && (!whole || question->answer < 0 || question->answer > (double)UINT32_MAX))
    luaL_error(r->L, "%s: the answer is not a mask of 32 lanes", r->what);
  if (!(question->tolerance >= 0) || isinf(question->answer))
    luaL_error(r->L, "%s: the answer or its tolerance is wrong", r->what);
  const char *says = question_says_of_right(question);
  if (says) luaL_error(r->L, "%s: this belongs to the right answer, not to a wrong one: \"%s\"", r->what, says);
}

void question_read(lua_State *L, int table, const char *what, LsArena *arena, LessonQuestion *question) {
  const Reader reader = {L, table, what, arena}, *r = &reader;
  question->kind = kind_field(r);
  question->prompt = field_string(L, table, "prompt", what, arena);
  question->options = list_field(r, "options", &question->option_count);
  question->unit = field_string_or(L, table, "unit", "", what, arena);
  question->answer = number_field(r, "answer", NAN);
  question->tolerance = number_field(r, "tolerance", 0);
  question->tips = list_field(r, "tips", &question->tip_count);
  question->because = field_string_or(L, table, "because", "", what, arena);
  read_wrong(r, question);
  if (question->kind == QUESTION_CHOICE && (question->option_count < 2 || question->option_count > 9))
    luaL_error(L, "%s: a choice has 2 to 9 options", what);
  check_answer(r, question);
}
