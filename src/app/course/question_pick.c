// question_pick.c: takes, leaves and moves parts of an answer.
#include "app/course/question_pick.h"

#include <stdint.h>

enum { LANES = 32 };

int question_places(const LessonQuestion *question) {
  switch (question->kind) {
    case QUESTION_MASK: return LANES;
    case QUESTION_CHOICE: case QUESTION_SEVERAL: case QUESTION_ORDER: case QUESTION_LINE: return question->option_count;
    case QUESTION_NUMBER: case QUESTION_TEXT: break;
  }
  return 0;
}

double question_nothing_picked(const LessonQuestion *question) {
  double order = 0;
  for (int place = 0; question->kind == QUESTION_ORDER && place < question->option_count; place++)
    order = question_with_line(order, place, place + 1);
  return order;
}

int question_placed(const LessonQuestion *question, double value) {
  int count = 0;
  while (count < question->option_count && question_line_at(value, count)) count++;
  return count;
}

static bool is_placed(double value, int placed, int line) {
  for (int place = 0; place < placed; place++)
    if (question_line_at(value, place) == line) return true;
  return false;
}

int question_line_shown(const LessonQuestion *question, double value, int place) {
  int placed = question_placed(question, value), away = place - placed;
  if (place < placed) return question_line_at(value, place);
  for (int line = 1; line <= question->option_count; line++)
    if (!is_placed(value, placed, line) && away-- == 0) return line;
  return 0;
}

static double toggled_line(const LessonQuestion *question, double value, int place) {
  int placed = question_placed(question, value), line = question_line_shown(question, value, place);
  if (place >= placed) return question_with_line(value, placed, line);
  for (int i = place; i < placed; i++)
    value = question_with_line(value, i, i + 1 < placed ? question_line_at(value, i + 1) : 0);
  return value;
}

double question_toggled(const LessonQuestion *question, double value, int place) {
  if (place < 0 || place >= question_places(question)) return value;
  if (question->kind == QUESTION_ORDER) return toggled_line(question, value, place);
  if (question->kind != QUESTION_MASK && question->kind != QUESTION_SEVERAL) return value;
  return (double)((uint32_t)value ^ 1u << place);
}

double question_shifted(const LessonQuestion *question, double value, int place, int by) {
  int placed = question_placed(question, value), other = place + by;
  if (question->kind != QUESTION_ORDER || place < 0 || place >= placed || other < 0 || other >= placed) return value;
  int line = question_line_at(value, place);
  value = question_with_line(value, place, question_line_at(value, other));
  return question_with_line(value, other, line);
}
