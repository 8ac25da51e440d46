// page_class_skill.c: a skill of a class: its wrong answers, the commonest first, and who gave them, beside one of its
// questions.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/report/class_write.h"
#include "base/mem.h"
#include "ui/pages/class_draw.h"
#include "ui/pages/column.h"
#include "ui/pages/lesson_job.h"
#include "ui/pages/list_page.h"
#include "ui/views/frame.h"

typedef struct SkillPage {
  Page base;
  ClassView view;
  const ClassSkill *skill;
  int *wrong, wrong_count;   // those that may be told of
  int doubt_count;
  List rows;
  CourseDrill drill, asked;  // of the question that is shown, always the same; of the one that was asked last
  Lesson *lesson;            // a question of the skill; NULL: it cannot be made
  LessonJob job;
  char *error;
} SkillPage;

enum { TOP = 2, BOTTOM = 2, LEFT = 2, WIDE = 100, GAP = 3, QUESTION_ROWS = 9, QUESTION_MOST = 76, NAMES_ROWS = 6 };
enum { SEED = 1 };

static const Class *class_of(const SkillPage *self) { return self->view.files->class; }

// Rows are wrong answers, then doubts, then those who did not answer, where both are NULL.
static const ClassWrong *wrong_at(const SkillPage *self, int row) {
  return row < self->wrong_count ? &class_of(self)->wrong[self->wrong[row]] : NULL;
}

static const ClassDoubt *doubt_at(const SkillPage *self, int row) {
  int doubt = row - self->wrong_count;
  return doubt >= 0 && doubt < self->doubt_count ? &class_of(self)->doubts[self->skill->first_doubt + doubt] : NULL;
}

static const char *row_text(void *context, int row) {
  static char text[512];
  const ClassWrong *wrong = wrong_at(context, row);
  const ClassDoubt *doubt = doubt_at(context, row);
  if (!wrong) return doubt ? doubt->words : "without an answer";
  snprintf(text, sizeof text, "%s %s", wrong->given, wrong->says ? wrong->says : "");
  return text;
}

// ---- the question ---------------------------------------------------------------------------------------------------

static void go_on(SkillPage *self) {
  LsErr err = {0};
  char text[sizeof err.message];
  LessonMove move = self->lesson ? lesson_job_go(&self->job, self->lesson, &err) : LESSON_BROKEN;
  self->base.ticking = move == LESSON_RUNS;
  if (move == LESSON_RUNS || move == LESSON_MOVED) return;
  ls_err_text(&err, text, sizeof text);
  free(self->error);
  self->error = ls_strdup(text);
}

static bool skill_tick(Page *page, double seconds) {
  SkillPage *self = (SkillPage *)page;
  LsErr err = {0};
  if (lesson_job_tick(&self->job, self->lesson, seconds, &err) == LESSON_JOB_GOES_ON) return false;
  go_on(self);
  return true;
}

// As students see it, and what is right. False: it is not there yet.
static bool question_text(const SkillPage *self, LsText *out) {
  if (!self->lesson || lesson_on_cover(self->lesson)) return false;
  const LessonStep *step = lesson_current(self->lesson);
  lesson_print_body(step, out);
  lesson_print_question(step, out);
  if (!lesson_asks(step)) return true;
  ls_text_add(out, "right: ");
  lesson_answer_text(&step->question, step->question.answer, out);
  return true;
}

// Returns how many rows it took.
static int draw_question(const SkillPage *self, Canvas *canvas, Rect rect) {
  LsText text = {0};
  bool there = question_text(self, &text);
  Role role = self->error ? ROLE_ALARM : there ? ROLE_TEXT : ROLE_DIM;
  if (self->error) ls_text_addf(&text, "Its questions cannot be shown: %s", self->error);
  else if (!there) ls_text_add(&text, "being drawn ...");
  canvas_text(canvas, rect.x, rect.y, ROLE_DIM, 0, "One of its questions:");
  rect = column_below(rect, 1);
  int rows = canvas_text_wrap(canvas, (Rect){0, 0, rect.w, 0}, 0, role, 0, ls_text_str(&text));
  bool cut = rows > rect.h;
  canvas_text_wrap(canvas, (Rect){rect.x, rect.y, rect.w, rect.h - cut}, 0, role, 0, ls_text_str(&text));
  if (cut) canvas_textf(canvas, rect.x, rect.y + rect.h - 1, ROLE_DIM, 0, "▾ %d more rows: Enter asks it",
                        rows - rect.h + 1);
  ls_text_free(&text);
  return 1 + LS_MIN(rows, rect.h);
}

// ---- the answers ----------------------------------------------------------------------------------------------------

typedef struct Names { const Class *class; LsText text; } Names;

static bool add_name(void *context, int student, int count) {
  Names *names = context;
  ls_text_addf(&names->text, "%s%s", names->text.length ? ", " : "", names->class->students[student].who);
  if (count > 1) ls_text_addf(&names->text, " (%d)", count);
  return true;
}

// In the student's words, and what it takes to draw the question again.
static void draw_doubt(const SkillPage *self, Canvas *canvas, Rect rect, const ClassDoubt *doubt) {
  LsText words = {0};
  ls_text_addf(&words, "%s%sdraw %d of seed %s, answered: %s",
               self->view.anonymous ? "" : class_of(self)->students[doubt->student].who,
               self->view.anonymous ? "" : ", ", doubt->draw, doubt->seed, *doubt->given ? doubt->given : "nothing");
  rect = column_paragraph(canvas, rect, ROLE_TEXT, STYLE_BOLD, doubt->words);
  column_paragraph(canvas, rect, ROLE_DIM, 0, ls_text_str(&words));
  ls_text_free(&words);
}

// row_w: columns that its row has.
static void draw_who(const SkillPage *self, Canvas *canvas, Rect rect, int row_w) {
  const ClassWrong *wrong = wrong_at(self, self->rows.chosen);
  Names names = {class_of(self), {0}};
  if (doubt_at(self, self->rows.chosen)) {
    draw_doubt(self, canvas, rect, doubt_at(self, self->rows.chosen));
    return;
  }
  if (wrong && !class_wrong_fits(wrong, row_w)) {
    if (!wrong->says || ls_utf8_width(wrong->given) > row_w)
      rect = column_paragraph(canvas, rect, ROLE_WAITING, 0, wrong->given);
    rect = column_paragraph(canvas, rect, ROLE_TEXT, STYLE_BOLD, wrong->says);
  }
  if (self->view.anonymous) return;
  if (wrong) class_each_wrong(names.class, (int)(wrong - names.class->wrong), add_name, &names);
  else class_each_without(names.class, (int)(self->skill - names.class->skills), add_name, &names);
  if (names.text.length) class_draw_names(canvas, rect, ROLE_TEXT, ls_text_str(&names.text));
  ls_text_free(&names.text);
}

static void draw_row(const SkillPage *self, Canvas *canvas, int width, int row) {
  const ClassWrong *wrong = wrong_at(self, row);
  int y = self->rows.y + row - self->rows.top, style = row == self->rows.chosen ? STYLE_BOLD : 0;
  int without = class_of(self)->student_count - self->skill->students;
  list_mark(&self->rows, canvas, 0, width, row);
  bool told = class_tells(self->view.anonymous, without);
  const ClassDoubt *doubt = doubt_at(self, row);
  if (doubt) {
    int x = canvas_text(canvas, LEFT + 2, y, ROLE_ALARM, 0, "    ▲ it is wrong: ");
    canvas_text_cut(canvas, x, y, width - x - 1, ROLE_TEXT, style, doubt->words);
    return;
  }
  if (wrong) class_draw_wrong(canvas, (Rect){LEFT + 2, y, width - LEFT - 3, 1}, wrong, style);
  else if (!told) canvas_text(canvas, LEFT + 2, y, ROLE_DIM, style, "few without an answer");
  else canvas_textf(canvas, LEFT + 2, y, ROLE_DIM, style, "%5d without an answer", without);
}

static void draw_answers(SkillPage *self, Canvas *canvas, Rect rect) {
  LsText words = {0};
  class_skill_words(&self->view, self->skill, &words);
  Rect list = column_paragraph(canvas, (Rect){rect.x + LEFT, rect.y, rect.w - LEFT - 1, rect.h}, ROLE_TEXT, 0,
                               ls_text_str(&words));
  ls_text_free(&words);
  int room = LS_MAX(list.h - NAMES_ROWS, 3), rows = LS_MIN(self->rows.count, room);
  list_place(&self->rows, list.y, self->rows.count > room ? rows - 1 : rows);
  for (int row = self->rows.top; list_shows(&self->rows, row); row++) draw_row(self, canvas, rect.x + rect.w, row);
  list_count(&self->rows, canvas, LEFT + 2);
  draw_who(self, canvas, column_below(list, rows + 1), rect.w - LEFT - 3);
}

static void skill_draw(Page *page, Canvas *canvas) {
  SkillPage *self = (SkillPage *)page;
  bool wide = canvas->cols >= WIDE;
  int height = canvas->rows - TOP - BOTTOM, half = canvas->cols / 2;
  FrameTitle title = {.crumbs = {"lanescope", "class", self->skill->id}, .crumb_count = 3,
                      .middle = {self->skill->topic}, .right = self->skill->family};
  frame_title(canvas, &title);
  if (wide) {
    draw_answers(self, canvas, (Rect){0, TOP, half, height});
    int width = LS_MIN(canvas->cols - half - GAP - 2, QUESTION_MOST);
    draw_question(self, canvas, (Rect){half + GAP, TOP, width, height});
  } else {
    Rect above = {LEFT, TOP, canvas->cols - 2 * LEFT, LS_MIN(QUESTION_ROWS, height / 2)};
    int rows = draw_question(self, canvas, above);
    draw_answers(self, canvas, (Rect){0, TOP + rows + 1, canvas->cols, height - rows - 1});
  }
  list_page_keys(&self->rows, canvas, "ask me", "an answer, a word");
}

// ---- keys -----------------------------------------------------------------------------------------------------------

// The question that is shown, or the very one that the chosen doubt is about.
static Page *ask(Page *page) {
  SkillPage *self = (SkillPage *)page;
  LsErr err = {0};
  const ClassDoubt *doubt = doubt_at(self, self->rows.chosen);
  self->asked = self->drill;
  if (doubt) self->asked.first = self->asked.last = doubt->draw;
  if (doubt && !ls_parse_u64(doubt->seed, &self->asked.seed)) self->asked.seed = SEED;
  Lesson *lesson = lesson_drill_begin(self->view.course, &self->asked, self->view.book, &err);
  return lesson ? page_lesson_new(lesson, self->view.book) : page_error_new(&err);
}

static bool skill_key(Page *page, AppKey key) { return list_page_key(page, &((SkillPage *)page)->rows, key, ask); }

static void skill_free(Page *page) {
  SkillPage *self = (SkillPage *)page;
  lesson_job_fini(&self->job);
  lesson_free(self->lesson);
  free(self->wrong);
  free(self->error);
  free(self);
}

static const PageClass skill_class = {skill_draw, skill_key, skill_tick, skill_free};

static void list_wrong(SkillPage *self) {
  int count = self->skill->wrong_count;
  self->wrong = ls_alloc(sizeof *self->wrong * (size_t)LS_MAX(count, 1));
  for (int i = 0; i < count; i++) {
    int wrong = self->skill->first_wrong + i;
    bool told = class_tells(self->view.anonymous, class_of(self)->wrong[wrong].students);
    if (told) self->wrong[self->wrong_count++] = wrong;
  }
}

Page *page_class_skill_new(const ClassView *view, int skill) {
  SkillPage *self = ls_alloc(sizeof *self);
  LsErr err = {0};
  self->base.class = &skill_class;
  self->view = *view;
  self->skill = &view->files->class->skills[skill];
  list_wrong(self);
  self->doubt_count = class_tells(view->anonymous, self->skill->doubts) ? self->skill->doubt_count : 0;
  self->rows = (List){.count = self->wrong_count + self->doubt_count + 1, .text = row_text, .context = self};
  self->drill = (CourseDrill){.skill = self->skill->id, .seed = SEED};
  self->lesson = lesson_drill_begin(view->course, &self->drill, view->book, &err);
  if (self->lesson) go_on(self);
  else self->error = ls_strdup(err.message);
  return &self->base;
}
