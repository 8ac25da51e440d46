// question.c: judges answers.
#include "app/course/question.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

enum { DIGIT = 4 };   // bits of a line's number in an order

int question_line_at(double order, int place) { return (int)((uint64_t)order >> (DIGIT * place) & 0xf); }

double question_with_line(double order, int place, int line) {
  uint64_t digits = (uint64_t)order & ~((uint64_t)0xf << (DIGIT * place));
  return (double)(digits | (uint64_t)line << (DIGIT * place));
}

static bool is_near(double a, double b, double tolerance) { return fabs(a - b) <= tolerance; }

bool question_is_right(const LessonQuestion *question, double value) {
  for (int i = 0; i < question->other_count; i++)
    if (value == question->others[i]) return true;
  return is_near(value, question->answer, question->tolerance);
}

static int place_of_line(double order, int line) {
  for (int place = 0; place < QUESTION_LINES; place++)
    if (question_line_at(order, place) == line) return place;
  return -1;
}

static int misplaced(double order, double right, int count) {
  int lines = 0;
  for (int line = 1; line <= count; line++) lines += place_of_line(order, line) != place_of_line(right, line);
  return lines;
}

// The right order that this one comes nearest to.
static double nearest_order(const LessonQuestion *question, double order) {
  double best = question->answer;
  for (int i = 0; i < question->other_count; i++)
    if (misplaced(order, question->others[i], question->option_count) < misplaced(order, best, question->option_count))
      best = question->others[i];
  return best;
}

static double share_of_order(const LessonQuestion *question, double order) {
  int wrong = misplaced(order, nearest_order(question, order), question->option_count);
  return 1 - (double)wrong / question->option_count;
}

static double share_of_several(const LessonQuestion *question, double value) {
  int right = 0;
  uint32_t wrong = (uint32_t)value ^ (uint32_t)question->answer;
  for (int i = 0; i < question->option_count; i++) right += !(wrong >> i & 1);
  return (double)right / question->option_count;
}

double question_share(const LessonQuestion *question, double value) {
  if (question_is_right(question, value)) return 1;
  if (question->kind == QUESTION_SEVERAL) return share_of_several(question, value);
  return question->kind == QUESTION_ORDER ? share_of_order(question, value) : 0;
}

// Lines that do not belong there, or are left out, shift the others: their words come first.
static const char *says_of_order(const LessonQuestion *question, double order) {
  double right = nearest_order(question, order);
  const char *shifted = NULL;
  for (int i = 0; i < question->wrong_count; i++) {
    int line = (int)question->wrong[i].key, place = place_of_line(order, line), wanted = place_of_line(right, line);
    if (place == wanted) continue;
    if (place < 0 || wanted < 0) return question->wrong[i].says;
    if (!shifted) shifted = question->wrong[i].says;
  }
  return shifted;
}

// Whether the words for this key meet the answer.
static bool meets(const LessonQuestion *question, double key, double value) {
  if (question->kind == QUESTION_SEVERAL) return ((uint32_t)value ^ (uint32_t)question->answer) >> (int)key & 1;
  return is_near(value, key, question->tolerance);
}

static const char *says(const LessonQuestion *question, double value) {
  if (question->kind == QUESTION_ORDER) return says_of_order(question, value);
  for (int i = 0; i < question->wrong_count; i++)
    if (meets(question, question->wrong[i].key, value)) return question->wrong[i].says;
  return NULL;
}

const char *question_says(const LessonQuestion *question, double value) {
  return question_is_right(question, value) ? NULL : says(question, value);
}

const char *question_says_of_right(const LessonQuestion *question) {
  for (int i = 0; i < question->other_count; i++)
    if (says(question, question->others[i])) return says(question, question->others[i]);
  return says(question, question->answer);
}
