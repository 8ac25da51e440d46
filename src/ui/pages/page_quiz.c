// page_quiz.c: the quiz: what is due, and the families of questions with the boxes of their skills; Enter asks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/course/due.h"
#include "base/mem.h"
#include "ui/pages/list.h"
#include "ui/pages/page.h"
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

enum { TOP = 2, BOTTOM = 8, ID_X = 4, TOPIC_X = 11, BOX_W = 6, LESSON_W = 5, WORDS_MOST = 76 };

static const CourseFamily *family_at(const QuizPage *self, int row) { return row ? &self->families[row - 1] : NULL; }

static const char *row_text(void *context, int row) {
  static char text[256];
  const CourseFamily *family = family_at(context, row);
  if (!family) return "due today";
  snprintf(text, sizeof text, "%s %s %s", family->id, family->topic, family->lesson);
  return text;
}

// ---- boxes ---------------------------------------------------------------------------------------------------------

// How many skills of a family are in each box; in 0 those that were never asked.
static void count_boxes(const QuizPage *self, const CourseFamily *family, int counts[FSRS_BOXES + 1]) {
  memset(counts, 0, (FSRS_BOXES + 1) * sizeof *counts);
  for (int i = 0; i < family->skill_count; i++) {
    SkillState state;
    skill_state(self->progress, family->skills[i], time(NULL), &state);
    counts[fsrs_box(state.memory)]++;
  }
}

// Five boxes, each with the number of skills in it.
static void draw_boxes(const QuizPage *self, Canvas *canvas, const CourseFamily *family, int x, int y) {
  int counts[FSRS_BOXES + 1];
  count_boxes(self, family, counts);
  for (int box = 1; box <= FSRS_BOXES; box++) {
    int at = x + (box - 1) * BOX_W;
    if (counts[box]) canvas_textf(canvas, at, y, box > 2 ? ROLE_GOOD : ROLE_ACTIVE, 0, "%3d", counts[box]);
    else canvas_text(canvas, at, y, ROLE_DIM, 0, canvas->ascii ? "  ." : "  ·");
  }
}

// ---- drawing -------------------------------------------------------------------------------------------------------

static int boxes_x(const Canvas *canvas) { return canvas->cols - 2 - FSRS_BOXES * BOX_W; }

static void draw_head(Canvas *canvas) {
  static const char *const names[FSRS_BOXES] = {"  1d", "  2d", "  7d", " 21d", " 60d"};
  for (int box = 0; box < FSRS_BOXES; box++)
    canvas_text(canvas, boxes_x(canvas) + box * BOX_W, TOP - 1, ROLE_DIM, 0, names[box]);
}

static void draw_row(const QuizPage *self, Canvas *canvas, int row) {
  const CourseFamily *family = family_at(self, row);
  int y = self->rows.y + row - self->rows.top, x = boxes_x(canvas) - LESSON_W;
  bool here = row == self->rows.chosen;
  list_mark(&self->rows, canvas, 0, canvas->cols, row);
  if (!family) {
    canvas_text(canvas, ID_X, y, ROLE_CURSOR, here ? STYLE_BOLD : 0, "what is due, and some new ones");
    return;
  }
  bool asks = family->skill_count > 0 || family->open;
  canvas_text(canvas, ID_X, y, ROLE_ACTIVE, 0, family->id);
  canvas_text_cut(canvas, TOPIC_X, y, x - TOPIC_X - 1, asks || here ? ROLE_TEXT : ROLE_DIM, here ? STYLE_BOLD : 0,
                  family->topic);
  canvas_text(canvas, x, y, ROLE_DIM, 0, family->lesson);
  draw_boxes(self, canvas, family, boxes_x(canvas), y);
}

static void chosen_words(const QuizPage *self, LsText *out) {
  const CourseFamily *family = family_at(self, self->rows.chosen);
  if (!family) {
    Due due;
    due_count(self->progress, time(NULL), &due);
    due_words(&due, time(NULL), out);
    ls_text_add(out, out->length ? ". " : "");
    ls_text_add(out, "What is due comes first, then some new questions of the lessons that you have begun. "
                     "The boxes show how long something is kept: under 2 days, under 7, 21, 60, and longer.");
    return;
  }
  int counts[FSRS_BOXES + 1];
  count_boxes(self, family, counts);
  if (family->skill_count)
    ls_text_addf(out, "%d skill%s with numbers drawn anew each time, %d not asked yet. ", family->skill_count,
                 family->skill_count == 1 ? "" : "s", counts[0]);
  if (family->open) ls_text_add(out, "An open question, held against a model answer. ");
  ls_text_addf(out, "Belongs to lesson %s.", family->lesson);
}

static void draw_chosen(const QuizPage *self, Canvas *canvas, int y) {
  const CourseFamily *family = family_at(self, self->rows.chosen);
  LsText words = {0};
  Rect rect = {ID_X, y + 1, LS_MIN(canvas->cols - 2 * ID_X, WORDS_MOST), canvas->rows - y - 2};
  canvas_rule(canvas, 0, y, canvas->cols, family ? family->topic : "due", NULL);
  chosen_words(self, &words);
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
  static const FooterKey keys[] = {{"↑↓", "up down", "choose"}, {"⏎", "enter", "ask me"}, {"/", NULL, "find"},
                                  {"?", NULL, "help"}, {"q", NULL, "back"}};
  if (self->rows.searching) frame_prompt(canvas, "/", self->rows.search, "FQ5, banks, L11, a word");
  else frame_keys(canvas, keys, LS_COUNT(keys));
}

// ---- keys ----------------------------------------------------------------------------------------------------------

static Page *ask(const QuizPage *self) {
  LsErr err = {0};
  const CourseFamily *family = family_at(self, self->rows.chosen);
  Lesson *lesson = lesson_quiz(self->course, &(CourseQuiz){.family = family ? family->id : NULL}, self->book,
                               self->progress, &err);
  return lesson ? page_lesson_new(lesson, self->book) : page_error_new(&err);
}

static bool quiz_key(Page *page, AppKey key) {
  QuizPage *self = (QuizPage *)page;
  bool was_searching = self->rows.searching;
  ListResult result = list_key(&self->rows, key);
  if (result == LIST_OPEN) page->open = ask(self);
  if (result != LIST_IGNORED || was_searching) return true;
  CommandId id = command_for_key(key.code, CTX_M);
  if (id == CMD_HELP) page->open = page_help_new(CTX_M);
  page->closed = id == CMD_QUIT || id == CMD_CANCEL;
  return page->closed || page->open;
}

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
