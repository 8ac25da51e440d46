// page_quiz.c: the quiz: what is due, and the families of questions with the boxes of their skills; Enter asks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/course/due.h"
#include "app/course/family.h"
#include "base/mem.h"
#include "ui/pages/list_page.h"
#include "ui/views/frame.h"

// Row 0 is what is due, the others are families.
typedef struct QuizPage {
  Page base;
  Course *course;
  Progress *progress;
  RecipeBook *book;
  LsArena *arena;
  CourseFamily *families; int count;
  List rows;
} QuizPage;

enum { TOP = 2, BOTTOM = 8, ID_X = 4, KNOWN_X = 9, TOPIC_X = 11, TOPIC_W = 34, BOX_W = 5, LESSON_W = 5, OPEN_W = 8,
       WORDS_MOST = 76 };

static const CourseFamily *family_at(const QuizPage *self, int row) { return row ? &self->families[row - 1] : NULL; }

static const char *row_text(void *context, int row) {
  static char text[256];
  const CourseFamily *family = family_at(context, row);
  if (!family) return "due today";
  snprintf(text, sizeof text, "%s %s %s", family->id, family->topic, family->lesson);
  return text;
}

// ---- columns -------------------------------------------------------------------------------------------------------

// They stand together, however wide the screen is: the topic is cut where there is no room for it.
static int lesson_x(const Canvas *canvas) {
  int others = LESSON_W + FSRS_BOXES * BOX_W + OPEN_W + 2;
  return TOPIC_X + LS_CLAMP(canvas->cols - TOPIC_X - others, 10, TOPIC_W);
}

static int boxes_x(const Canvas *canvas) { return lesson_x(canvas) + LESSON_W; }
static int open_x(const Canvas *canvas) { return boxes_x(canvas) + FSRS_BOXES * BOX_W + 1; }

static void draw_head(Canvas *canvas) {
  static const char *const names[FSRS_BOXES] = {"1d", "2d", "7d", "21d", "60d"};
  for (int box = 1; box <= FSRS_BOXES; box++)
    canvas_text_right(canvas, boxes_x(canvas) + box * BOX_W - 1, TOP - 1, ROLE_DIM, 0, names[box - 1]);
  canvas_text(canvas, open_x(canvas), TOP - 1, ROLE_DIM, 0, "open");
}

// Five boxes, each with the number of skills in it.
static void draw_boxes(Canvas *canvas, const FamilyState *state, int y) {
  for (int box = 1; box <= FSRS_BOXES; box++) {
    char count[16];
    int end = boxes_x(canvas) + box * BOX_W - 1;
    snprintf(count, sizeof count, "%d", state->boxes[box]);
    if (state->boxes[box]) canvas_text_right(canvas, end, y, box > 2 ? ROLE_GOOD : ROLE_ACTIVE, 0, count);
    else canvas_text_right(canvas, end, y, ROLE_DIM, 0, canvas->ascii ? "." : "·");
  }
}

// "5/6", or that it waits.
static void draw_open(Canvas *canvas, const CourseFamily *family, const FamilyState *state, int y) {
  int x = open_x(canvas);
  if (!family->open) return;
  if (!state->open.count) canvas_text(canvas, x, y, ROLE_DIM, 0, canvas->ascii ? "." : "·");
  else canvas_textf(canvas, x, y, ROLE_GOOD, 0, "%g/%d", state->open.points, state->open.of);
}

// ---- drawing -------------------------------------------------------------------------------------------------------

static void draw_today(const QuizPage *self, Canvas *canvas, int y, bool here) {
  Due due;
  due_count(self->progress, time(NULL), &due);
  canvas_textf(canvas, ID_X, y, ROLE_CURSOR, here ? STYLE_BOLD : 0, "today: %d due, and up to %d new", due.today,
               due.fresh);
}

static void draw_family(const QuizPage *self, Canvas *canvas, const CourseFamily *family, int y, bool here) {
  bool asks = family->skill_count > 0 || family->open;
  FamilyState state;
  family_state(self->progress, family, time(NULL), &state);
  canvas_text(canvas, ID_X, y, ROLE_ACTIVE, 0, family->id);
  if (state.known) canvas_text(canvas, KNOWN_X, y, ROLE_GOOD, STYLE_BOLD, "✓");
  canvas_text_cut(canvas, TOPIC_X, y, lesson_x(canvas) - TOPIC_X - 1, asks || here ? ROLE_TEXT : ROLE_DIM,
                  here ? STYLE_BOLD : 0, family->topic);
  canvas_text(canvas, lesson_x(canvas), y, ROLE_DIM, 0, family->lesson);
  draw_boxes(canvas, &state, y);
  draw_open(canvas, family, &state, y);
}

static void draw_row(const QuizPage *self, Canvas *canvas, int row) {
  const CourseFamily *family = family_at(self, row);
  int y = self->rows.y + row - self->rows.top;
  bool here = row == self->rows.chosen;
  list_mark(&self->rows, canvas, 0, LS_MIN(canvas->cols, open_x(canvas) + OPEN_W), row);
  if (family) draw_family(self, canvas, family, y, here);
  else draw_today(self, canvas, y, here);
}

static void today_words(const QuizPage *self, LsText *out) {
  due_today_words(self->progress, time(NULL), out);
  ls_text_add(out, " What is due comes first, then new questions of the lessons that you have begun. The boxes show "
                   "how long something is kept: under 2 days, under 7, 21, 60, and longer.");
}

static void family_words(const QuizPage *self, const CourseFamily *family, LsText *out) {
  FamilyState state;
  family_state(self->progress, family, time(NULL), &state);
  if (family->skill_count)
    ls_text_addf(out, "%d skill%s with numbers drawn anew each time: %d not asked yet, %d due, %d right on two days. ",
                 family->skill_count, family->skill_count == 1 ? "" : "s", state.boxes[0], state.due,
                 state.known_skills);
  if (state.rest)
    ls_text_addf(out, "%d rest%s after four days on which it was wrong: read lesson %s, then it comes back. ",
                 state.rest, state.rest == 1 ? "s" : "", family->lesson);
  if (family->open) ls_text_add(out, "An open question, held against a model answer: ");
  family_open_words(family, &state, out);
  if (family->open) ls_text_add(out, ". ");
  ls_text_addf(out, state.known ? "Known. Lesson %s." : "Lesson %s.", family->lesson);
}

static void draw_chosen(const QuizPage *self, Canvas *canvas, int y) {
  const CourseFamily *family = family_at(self, self->rows.chosen);
  LsText words = {0};
  Rect rect = {ID_X, y + 1, LS_MIN(canvas->cols - 2 * ID_X, WORDS_MOST), canvas->rows - y - 2};
  canvas_rule(canvas, 0, y, canvas->cols, family ? family->topic : "today", NULL);
  if (family) family_words(self, family, &words);
  else today_words(self, &words);
  canvas_text_wrap(canvas, rect, 0, ROLE_TEXT, 0, ls_text_str(&words));
  ls_text_free(&words);
}

static void quiz_draw(Page *page, Canvas *canvas) {
  QuizPage *self = (QuizPage *)page;
  int rows = LS_MAX(canvas->rows - TOP - BOTTOM, 1);
  FrameTitle title = {.crumbs = {"lanescope", "quiz"}, .crumb_count = 2, .middle = {"questions that never run out"}};
  frame_title(canvas, &title);
  draw_head(canvas);
  list_place(&self->rows, TOP, rows);
  for (int row = self->rows.top; list_shows(&self->rows, row); row++) draw_row(self, canvas, row);
  list_count(&self->rows, canvas, ID_X);
  draw_chosen(self, canvas, TOP + LS_MIN(rows, self->rows.count) + 1);
  list_page_keys(&self->rows, canvas, "ask me", "FQ5, banks, L11, a word");
}

// ---- keys ----------------------------------------------------------------------------------------------------------

static Page *ask(Page *page) {
  const QuizPage *self = (const QuizPage *)page;
  LsErr err = {0};
  const CourseFamily *family = family_at(self, self->rows.chosen);
  Lesson *lesson = lesson_quiz(self->course, &(CourseQuiz){.family = family ? family->id : NULL}, self->book,
                               self->progress, &err);
  return lesson ? page_lesson_new(lesson, self->book) : page_error_new(&err);
}

static bool quiz_key(Page *page, AppKey key) { return list_page_key(page, &((QuizPage *)page)->rows, key, ask); }

static void quiz_free(Page *page) {
  ls_arena_free(((QuizPage *)page)->arena);
  free(page);
}

static const PageClass quiz_class = {quiz_draw, quiz_key, NULL, quiz_free};

Page *page_quiz_new(Course *course, Progress *progress, RecipeBook *book) {
  LsErr err = {0};
  QuizPage *self = ls_alloc(sizeof *self);
  self->base.class = &quiz_class;
  self->course = course;
  self->progress = progress;
  self->book = book;
  self->arena = ls_arena_new();
  if (!course->families(course, self->arena, &self->families, &self->count, &err)) {
    quiz_free(&self->base);
    return page_error_new(&err);
  }
  self->rows = (List){.count = self->count + 1, .text = row_text, .context = self};
  return &self->base;
}
