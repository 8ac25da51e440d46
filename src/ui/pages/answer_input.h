// answer_input.h: an answer that is being made: typed in the last row, or chosen with arrow keys and Space.
//
// What was typed is all there is: keys that choose and move write the answer as it would be typed. So both may be
// mixed,
// and a screen reader hears the answer from the prompt.
#ifndef LS_UI_ANSWER_INPUT_H
#define LS_UI_ANSWER_INPUT_H

#include "app/course/lesson.h"
#include "app/keys.h"

typedef struct AnswerInput {
  bool open;
  bool typed;              // the last key was a letter or a digit: Space is one then, too
  int at;                  // the mark: see question_pick.h
  int row;                 // of the mark, in the text of the step; -1: none. Drawing sets it
  char text[96];
} AnswerInput;

// Whether the key begins an answer to this question. alone: nothing else beside it has the arrow keys. here: the
// line of
// the source that the explorer stands on, 0 if none.
bool answer_begin(AnswerInput *input, const LessonStep *step, AppKey key, bool alone, int here);
typedef enum AnswerEvent { ANSWER_UNUSED, ANSWER_CHANGED, ANSWER_GIVEN, ANSWER_LEFT } AnswerEvent;
AnswerEvent answer_key(AnswerInput *input, const LessonStep *step, AppKey key);
// The answer so far; what choosing begins with where the text is none yet.
double answer_value(const AnswerInput *input, const LessonStep *step);
// The keys that work now, for the last row.
const char *answer_help(const LessonStep *step);

#endif
