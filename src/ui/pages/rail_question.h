// rail_question.h: a question in the rail: what is asked, what may be chosen, what became of the answer.
#ifndef LS_UI_RAIL_QUESTION_H
#define LS_UI_RAIL_QUESTION_H

#include "app/course/lesson.h"
#include "ui/pages/answer_input.h"
#include "ui/pages/rail_pen.h"

// input: the answer that is being made; NULL: none.
void rail_question(Pen *pen, const LessonStep *step, const AnswerInput *input);
void rail_tips(Pen *pen, const char **tips, int count, int shown);

#endif
