// question.c: judges answers.
#include "app/course/question.h"

#include <math.h>
#include <stddef.h>

static bool is_near(double a, double b, double tolerance) { return fabs(a - b) <= tolerance; }

bool question_is_right(const LessonQuestion *question, double value) {
  return is_near(value, question->answer, question->tolerance);
}

static const char *says(const LessonQuestion *question, double value) {
  for (int i = 0; i < question->wrong_count; i++)
    if (is_near(value, question->wrong[i].key, question->tolerance)) return question->wrong[i].says;
  return NULL;
}

const char *question_says(const LessonQuestion *question, double value) {
  return question_is_right(question, value) ? NULL : says(question, value);
}

const char *question_says_of_right(const LessonQuestion *question) { return says(question, question->answer); }
