// question.h: what a lesson may ask, and how an answer is judged.
//
// An answer of any kind is one number, so that asking, judging and saving need no cases:
//
//        CHOICE   index of the option            MASK    32 bits, bit i is lane i
//        NUMBER   the number                     SEVERAL bits, bit i is option i
//
// Wrong answers that the author foresaw have words of their own, which meet them (question_says).
#ifndef LS_APP_QUESTION_H
#define LS_APP_QUESTION_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

typedef enum QuestionKind { QUESTION_CHOICE, QUESTION_NUMBER, QUESTION_MASK } QuestionKind;

// CHOICE: key is the index of an option; NUMBER and MASK: the answer itself.
typedef struct QuestionWrong { double key; const char *says; } QuestionWrong;

typedef struct LessonQuestion {
  QuestionKind kind;
  const char *prompt;
  const char **options; int option_count;  // CHOICE
  const char *unit;                        // NUMBER: "sectors", or ""
  double answer, tolerance;                // the right one, computed by the script from a run
  const QuestionWrong *wrong; int wrong_count;
  const char **tips; int tip_count;
  const char *because;                     // shown after answering; ""
} LessonQuestion;

bool question_is_right(const LessonQuestion *question, double value);
// What meets this wrong answer; NULL if nobody foresaw it.
const char *question_says(const LessonQuestion *question, double value);
// Words that belong to the right answer: a mistake of the author. NULL if there are none.
const char *question_says_of_right(const LessonQuestion *question);

// question_parse.c. Reads what was typed: "b" or "2" or the words of a choice; a number; a mask as 0xffff, 0-15,
// "even", "odd", "all", "none".
bool lesson_parse_answer(const LessonQuestion *question, const char *text, double *value, LsErr *err);
void lesson_answer_text(const LessonQuestion *question, double value, LsText *out);

#endif
