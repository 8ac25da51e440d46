// rail.c: lays out a step: title, marked-up text, question or goal, tips, verdict.
#include "ui/pages/rail.h"

#include <stdio.h>
#include <stdlib.h>
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

// ---- code that is written ------------------------------------------------------------------------------------------

// Lines of code stand alone, with their blanks.
static void put_code(Pen *pen, const char *code) {
  while (*code) {
    size_t length = strcspn(code, "\n");
    char *line = ls_format(" %.*s", (int)length, code);
    pen_line(pen, line, strlen(line), ROLE_ACTIVE);
    free(line);
    code += length + (code[length] == '\n');
  }
}

static void put_row(Pen *pen, const LessonWork *work, const WorkRow *row) {
  LsText words = {0};
  if (!row->done) return;
  if (*row->values && work->run_count > 1) ls_text_addf(&words, "%s%s", row->values, *row->note ? ": " : "");
  if (row->line) ls_text_addf(&words, "line %d: ", row->line);
  ls_text_add(&words, row->note);
  if (row->right && !words.length) ls_text_add(&words, "the result is right");
  pen_word(pen, row->right ? "✓" : "✗", 3, 0, row->right ? ROLE_GOOD : ROLE_ALARM, STYLE_BOLD);
  int space = 1;
  pen->indent = 2;
  pen_span(pen, ls_text_str(&words), (int)words.length, 0, row->right ? ROLE_DIM : ROLE_TEXT, &space);
  pen->indent = 0;
  pen_end(pen);
  ls_text_free(&words);
}

static void put_messages(Pen *pen, const LessonWork *work) {
  if (work->message_count) pen_text(pen, "It does not compile.", ROLE_ALARM);
  for (int i = 0; i < work->message_count; i++) {
    char line[300];
    snprintf(line, sizeof line, "line %d: %s", work->messages[i].line, work->messages[i].text);
    pen_word(pen, "✗", 3, 0, ROLE_ALARM, STYLE_BOLD);
    int space = 1;
    pen->indent = 2;
    pen_span(pen, line, (int)strlen(line), 0, ROLE_TEXT, &space);
    pen->indent = 0;
    pen_end(pen);
  }
  if (work->failure[0]) pen_text(pen, work->failure, ROLE_WAITING);
}

static void put_choices(Pen *pen, const LessonWork *work) {
  if (work->kind == WORK_ORDER || work_can_compile()) return;
  pen_blank(pen);
  for (int i = 0; i < work_options(work); i++) {
    char label[16];
    snprintf(label, sizeof label, "%d%s", i + 1, i == work->chosen ? "▸" : " ");
    pen_word(pen, label, (int)strlen(label), 0, ROLE_CURSOR, STYLE_BOLD);
    const char *name = work_option(work, i)->name;
    int space = 0;
    pen->indent = pen->col = 3;
    pen_span(pen, name, (int)strlen(name), 0, i == work->chosen ? ROLE_TEXT : ROLE_DIM, &space);
    pen->indent = 0;
    pen_end(pen);
  }
}

static const char *how_to_work(const LessonWork *work) {
  if (work->kind == WORK_ORDER)
    return work->spare_count ? "J and K move the line; what belongs nowhere goes below the rule. Enter tries it."
                             : "J and K move the line. Enter tries it.";
  if (!work_can_compile()) return "No compiler is here: choose, then Enter.";
  return work->kind == WORK_FILL ? "Enter, write, and Enter again tries it." : "Enter writes, Esc tries it.";
}

static void put_tried(Pen *pen, const LessonStep *step) {
  const LessonWork *work = step->work;
  if (work->state == WORK_OPEN && !step->answered) {
    pen_blank(pen);
    pen_text(pen, how_to_work(work), ROLE_DIM);
    return;
  }
  if (work->state == WORK_OPEN) return;
  pen_blank(pen);
  if (work->state == WORK_PASSED) pen_text(pen, "It works.", ROLE_GOOD);
  put_messages(pen, work);
  for (int i = 0; i < work->run_count; i++) put_row(pen, work, &work->rows[i]);
  if (work->says) {
    pen_blank(pen);
    pen_text(pen, work->says, work->state == WORK_PASSED ? ROLE_TEXT : ROLE_WAITING);
  }
}

static void put_work(Pen *pen, const LessonStep *step) {
  const LessonWork *work = step->work;
  if (*step->goal.wanted) pen_labeled(pen, "Goal:", ROLE_CURSOR, step->goal.wanted, ROLE_TEXT);
  put_choices(pen, work);
  put_tried(pen, step);
  if (step->skipped && !step->answered) {
    pen_blank(pen);
    pen_text(pen, "One way:", ROLE_DIM);
    put_code(pen, work->answers[0].text);
  }
  if ((step->answered || step->skipped) && *work->because) {
    pen_blank(pen);
    pen_text(pen, work->because, ROLE_TEXT);
  }
  rail_tips(pen, step->goal.tips, step->goal.tip_count, step->tips_shown);
}

int rail_text(Canvas *canvas, Rect rect, int skip, int row, const char *text, Role role) {
  Pen pen = {.canvas = canvas, .rect = rect, .skip = skip, .row = row, .fresh = true, .mark_row = -1};
  pen_text(&pen, text, role);
  return pen.row;
}

int rail_draw(const Lesson *lesson, Canvas *canvas, Rect rect, bool low, int skip, AnswerInput *input) {
  return rail_draw_step(lesson_current(lesson), canvas, rect, low, skip, input);
}

int rail_draw_step(const LessonStep *step, Canvas *canvas, Rect rect, bool low, int skip, AnswerInput *input) {
  Pen pen = {.canvas = canvas, .rect = rect, .skip = skip, .low = low, .fresh = true, .mark_row = -1};
  if (!low && step->title && *step->title) {
    int space = 0;
    pen_span(&pen, step->title, (int)strlen(step->title), 2, ROLE_TITLE, &space);
    pen_blank(&pen);
  }
  if (step->text) pen_text(&pen, step->text, ROLE_TEXT);
  if (step->kind == LESSON_PREDICT || step->kind == LESSON_CHECK) rail_question(&pen, step, input);
  if (step->kind == LESSON_TRY) put_goal(&pen, step);
  if (step->work) put_work(&pen, step);
  if (step->kind == LESSON_END && step->missed && !step->answered)
    pen_labeled(&pen, "r", ROLE_CURSOR, step->missed == 1 ? "asks it again." : "asks these again.", ROLE_DIM);
  pen_end(&pen);
  if (input) input->row = pen.mark_row;
  return pen.row;
}
