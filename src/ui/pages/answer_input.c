// answer_input.c: keys that type and choose an answer.
#include "ui/pages/answer_input.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "app/course/question_pick.h"
#include "base/mem.h"

double answer_value(const AnswerInput *input, const LessonStep *step) {
  double value;
  if (input->text[0] && lesson_parse_answer(&step->question, input->text, &value, NULL)) return value;
  return question_nothing_picked(&step->question);
}

static void write_value(AnswerInput *input, const LessonStep *step, double value) {
  LsText text = {0};
  question_typed(&step->question, value, &text);
  snprintf(input->text, sizeof input->text, "%s", ls_text_str(&text));
  ls_text_free(&text);
  input->typed = false;
}

// ---- choosing ------------------------------------------------------------------------------------------------------

static bool is_one_of(QuestionKind kind) { return kind == QUESTION_CHOICE || kind == QUESTION_LINE; }

// The mark goes to another place; where one is chosen by it, that is the answer.
static void go_to(AnswerInput *input, const LessonStep *step, int place) {
  input->at = LS_CLAMP(place, 0, LS_MAX(question_places(&step->question) - 1, 0));
  input->typed = false;
  if (!is_one_of(step->question.kind)) return;
  write_value(input, step, step->question.kind == QUESTION_LINE ? input->at + 1 : input->at);
}

static void toggle(AnswerInput *input, const LessonStep *step) {
  write_value(input, step, question_toggled(&step->question, answer_value(input, step), input->at));
}

static void shift(AnswerInput *input, const LessonStep *step, int by) {
  double before = answer_value(input, step), after = question_shifted(&step->question, before, input->at, by);
  if (after != before) input->at += by;
  write_value(input, step, after);
}

// How far an arrow key moves the mark: lanes stand in a row, everything else below one another.
static int stride(const LessonQuestion *question, uint32_t code) {
  enum { GROUP = 8 };   // lanes between which the row has a gap
  bool row = question->kind == QUESTION_MASK;
  switch (code) {
    case KEYX_UP: return row ? -GROUP : -1;
    case KEYX_DOWN: return row ? GROUP : 1;
    case KEYX_LEFT: return row ? -1 : 0;
    case KEYX_RIGHT: return row ? 1 : 0;
  }
  return 0;
}

static bool choosing_key(AnswerInput *input, const LessonStep *step, uint32_t code) {
  const LessonQuestion *question = &step->question;
  int by = stride(question, code);
  bool order = question->kind == QUESTION_ORDER;
  if (!question_places(question)) return false;
  if (by) go_to(input, step, input->at + by);
  else if (code == KEYX_HOME) go_to(input, step, 0);
  else if (code == KEYX_END) go_to(input, step, question_places(question) - 1);
  else if (order && (code == KEYX_SHIFT_UP || code == 'K')) shift(input, step, -1);
  else if (order && (code == KEYX_SHIFT_DOWN || code == 'J')) shift(input, step, 1);
  else if (code == ' ' && !input->typed && !is_one_of(question->kind)) toggle(input, step);
  else return false;
  return true;
}

// ---- typing --------------------------------------------------------------------------------------------------------

// Whoever begins to type begins anew after choosing.
static bool typing_key(AnswerInput *input, uint32_t code) {
  size_t length = strlen(input->text);
  if (code == KEY_BACKSPACE_) {
    if (!length) return false;
    input->text[length - 1] = 0;
    input->typed = true;
    return true;
  }
  if (code < ' ' || code >= 127) return false;
  if (!input->typed) length = 0;
  if (length + 1 >= sizeof input->text) return true;
  input->text[length] = (char)code;
  input->text[length + 1] = 0;
  input->typed = true;
  return true;
}

AnswerEvent answer_key(AnswerInput *input, const LessonStep *step, AppKey key) {
  if (choosing_key(input, step, key.code)) return ANSWER_CHANGED;
  if (key.code == KEY_RETURN_ && input->text[0]) return ANSWER_GIVEN;
  bool empty = !input->text[0] && key.code == KEY_BACKSPACE_;
  if (key.code == KEY_ESC_ || key.code == KEY_RETURN_ || empty) {
    input->open = false;
    return ANSWER_LEFT;
  }
  return typing_key(input, key.code) ? ANSWER_CHANGED : ANSWER_UNUSED;
}

// ---- beginning -----------------------------------------------------------------------------------------------------

// The words that a question of this kind offers begin an answer with their first letter, as digits do.
static bool begins_word(QuestionKind kind, uint32_t code) {
  const char *all_even_odd_none = kind == QUESTION_MASK ? "aeon" : kind == QUESTION_SEVERAL ? "n" : "";
  return code && code < 127 && strchr(all_even_odd_none, (int)code);
}

// Options are as well called by letters, from a on.
static bool names_option(const LessonQuestion *question, uint32_t code) {
  bool lettered = question->kind == QUESTION_CHOICE || question->kind == QUESTION_SEVERAL;
  return lettered && code >= 'a' && code < 'a' + (uint32_t)question->option_count;
}

static bool is_typed(const LessonQuestion *question, uint32_t code) {
  if (begins_word(question->kind, code) || names_option(question, code)) return true;
  return question->kind != QUESTION_TEXT && code < 127 && (isdigit((int)code) || code == '-' || code == '.');
}

static bool is_chosen(const LessonQuestion *question, uint32_t code, bool alone) {
  bool space = code == ' ' && !is_one_of(question->kind), arrow = alone && (code == KEYX_UP || code == KEYX_DOWN);
  bool line = question->kind == QUESTION_LINE && (code == KEYX_UP || code == KEYX_DOWN);
  return question_places(question) > 0 && (space || arrow || line);
}

bool answer_begin(AnswerInput *input, const LessonStep *step, AppKey key, bool alone, int here) {
  const LessonQuestion *question = &step->question;
  bool typed = is_typed(question, key.code);
  if (!typed && key.code != KEY_RETURN_ && !is_chosen(question, key.code, alone)) return false;
  *input = (AnswerInput){.open = true};
  if (typed) return typing_key(input, key.code);
  bool again = step->tries > 0, marks = question->kind == QUESTION_MASK || question->kind == QUESTION_SEVERAL;
  if (question->kind == QUESTION_LINE) go_to(input, step, (again ? (int)step->last : LS_MAX(here, 1)) - 1);
  else if (question->kind == QUESTION_ORDER || (again && marks))
    write_value(input, step, again ? step->last : question_nothing_picked(question));
  return true;
}

const char *answer_help(const LessonStep *step) {
  switch (step->question.kind) {
    case QUESTION_MASK: return "arrows, Space sets lanes; Enter checks";
    case QUESTION_SEVERAL: return "arrows, Space takes and leaves; Enter checks";
    case QUESTION_ORDER:
      return step->question.spare ? "arrows, J K move a line, Space puts it away; Enter checks"
                                  : "arrows, J K move a line; Enter checks, Esc leaves it";
    case QUESTION_LINE: return "arrows go to the line; Enter checks, Esc leaves it";
    case QUESTION_CHOICE: case QUESTION_NUMBER: case QUESTION_TEXT: break;
  }
  return "Enter checks, Esc leaves it";
}
