// rail.h: a lesson's step as text beside the explorer.
#ifndef LS_UI_RAIL_H
#define LS_UI_RAIL_H

#include "app/course/lesson.h"
#include "ui/pages/answer_input.h"
#include "ui/term/canvas.h"

// Draws the current step into rect, beginning `skip` rows down; returns the rows it has in all. rect.h == 0 only
// measures.
// low: without the title and what else stands in the rule and the footer. input: an answer that is being
// made, which gets its row, or NULL.
int rail_draw(const Lesson *lesson, Canvas *canvas, Rect rect, bool low, int skip, AnswerInput *input);

// The same of any step.
int rail_draw_step(const LessonStep *step, Canvas *canvas, Rect rect, bool low, int skip, AnswerInput *input);

// A marked-up text in rect, from row `row` of all; as with rail_draw, `skip` rows are above. Returns the row after it.
int rail_text(Canvas *canvas, Rect rect, int skip, int row, const char *text, Role role);

#endif
