// question.h: what a lesson may ask, and how an answer is judged.
//
// An answer of any kind is one number, so that asking, judging and saving need no cases:
//
//        CHOICE   index of the option             MASK     32 bits, bit i is lane i
//        NUMBER   the number                      SEVERAL  bits, bit i is option i
//        LINE     number of the source line       ORDER    hexadecimal digits: the lines by their numbers as shown,
//        TEXT     index of the text; -1: none              from 1, first line in the last digit; 0: no more
//
// Wrong answers that the author foresaw have words of their own, which meet them (question_says).
#ifndef LS_APP_QUESTION_H
#define LS_APP_QUESTION_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

typedef enum QuestionKind {
  QUESTION_CHOICE, QUESTION_NUMBER, QUESTION_MASK, QUESTION_SEVERAL, QUESTION_ORDER, QUESTION_LINE, QUESTION_TEXT
} QuestionKind;
enum { QUESTION_OPTIONS = 9, QUESTION_LINES = 12 };   // of CHOICE and SEVERAL; of ORDER

// CHOICE, TEXT: key is the index of an option, SEVERAL the same, of one wrongly taken or left out. ORDER: number of a
// line at a wrong place. Else the answer itself.
typedef struct QuestionWrong { double key; const char *says; } QuestionWrong;

typedef struct LessonQuestion {
  QuestionKind kind;
  const char *prompt;
  const char **options; int option_count;  // CHOICE, SEVERAL; ORDER: the lines as shown; LINE: the source; TEXT: the
                                           // right texts, then those that were foreseen
  int spare;                               // ORDER: lines that belong nowhere
  const char *unit;                        // NUMBER: "sectors", or ""
  double answer, tolerance;                // the right one, computed by the script from a run
  const double *others; int other_count;   // ORDER, LINE, TEXT: right, too
  const QuestionWrong *wrong; int wrong_count;
  bool sure;                               // asks how sure the student is
  const char **tips; int tip_count;
  const char *because;                     // shown after answering; ""
} LessonQuestion;

bool question_is_right(const LessonQuestion *question, double value);
// How much of an answer is right, 0 to 1: of SEVERAL and ORDER what is in its place, else all or nothing.
double question_share(const LessonQuestion *question, double value);
// What meets this wrong answer; NULL if nobody foresaw it.
const char *question_says(const LessonQuestion *question, double value);
// Words that belong to the right answer: a mistake of the author. NULL if there are none.
const char *question_says_of_right(const LessonQuestion *question);

// ORDER: number of the line at a place, from 0; 0: no more. And the order with it there.
int question_line_at(double order, int place);
double question_with_line(double order, int place, int line);

// question_parse.c. Reads what was typed: "b" or "2" or the words of a choice; a number; a mask as 0xffff, 0-15,
// "even", "odd", "all", "none"; "a c" or "1 3" or "none"; an order "3 1 2"; a text.
bool lesson_parse_answer(const LessonQuestion *question, const char *text, double *value, LsErr *err);
// question_text.c. An answer in words, and as it would be typed.
void lesson_answer_text(const LessonQuestion *question, double value, LsText *out);
void question_typed(const LessonQuestion *question, double value, LsText *out);

#endif
