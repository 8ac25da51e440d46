// rail.c: lays out a step: title, marked-up text, question or goal, tips, verdict.
#include "ui/pages/rail.h"

#include <string.h>

#include "base/mem.h"
#include "ui/pages/rail_question.h"

static void put_solution(Pen *pen, const LessonGoal *goal) {
  LsText way = {0};
  for (int i = 0; i < goal->solution_count; i++) ls_text_addf(&way, "%s%s", i ? ", " : "", goal->solution[i]);
  pen_labeled(pen, "One way:", ROLE_DIM, ls_text_str(&way), ROLE_TEXT);
  ls_text_free(&way);
}

static void put_goal(Pen *pen, const LessonStep *step) {
  pen_labeled(pen, "Goal:", ROLE_CURSOR, step->goal.wanted, ROLE_TEXT);
  if (step->answered && !step->skipped) pen_labeled(pen, "Reached.", ROLE_GOOD, step->note, ROLE_GOOD);
  else if (step->note[0]) pen_labeled(pen, "Not yet:", ROLE_WAITING, step->note, ROLE_TEXT);
  else if (step->place.model) pen_labeled(pen, "←→", ROLE_CURSOR, "change the chosen parameter.", ROLE_DIM);
  else pen_labeled(pen, "p", ROLE_CURSOR, "opens the parameters.", ROLE_DIM);
  if (step->skipped) put_solution(pen, &step->goal);
  rail_tips(pen, step->goal.tips, step->goal.tip_count, step->tips_shown);
}

int rail_text(Canvas *canvas, Rect rect, int skip, int row, const char *text, Role role) {
  Pen pen = {.canvas = canvas, .rect = rect, .skip = skip, .row = row, .fresh = true, .mark_row = -1};
  pen_text(&pen, text, role);
  return pen.row;
}

int rail_draw(const Lesson *lesson, Canvas *canvas, Rect rect, bool low, int skip, AnswerInput *input) {
  const LessonStep *step = lesson_current(lesson);
  Pen pen = {.canvas = canvas, .rect = rect, .skip = skip, .low = low, .fresh = true, .mark_row = -1};
  if (!low && step->title && *step->title) {
    int space = 0;
    pen_span(&pen, step->title, (int)strlen(step->title), 2, ROLE_TITLE, &space);
    pen_blank(&pen);
  }
  if (step->text) pen_text(&pen, step->text, ROLE_TEXT);
  if (step->kind == LESSON_PREDICT || step->kind == LESSON_CHECK) rail_question(&pen, step, input);
  if (step->kind == LESSON_TRY) put_goal(&pen, step);
  if (step->kind == LESSON_END && step->missed && !step->answered)
    pen_labeled(&pen, "r", ROLE_CURSOR, step->missed == 1 ? "asks it again." : "asks these again.", ROLE_DIM);
  pen_end(&pen);
  if (input) input->row = pen.mark_row;
  return pen.row;
}
