// page_ladder.c: the exercises, from the first index to a scan in one pass; Enter opens one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "ui/pages/column.h"
#include "ui/pages/list.h"
#include "ui/pages/page.h"
#include "ui/pages/rail_pen.h"
#include "ui/views/frame.h"

typedef struct LadderPage {
  Page base;
  ExerciseBook *exercises;
  Progress *progress;
  RecipeBook *book;
  const Exercise **items; int count;
  Solved *states;
  List rows;
} LadderPage;

enum { TOP = 2, BOTTOM = 10, WIDE = 100, LIST_W = 50, MARK_X = 3, ID_X = 5, TITLE_X = 9, LESSONS_W = 10, LABEL_W = 9 };

static const char *row_text(void *context, int row) {
  static char text[512];
  const Exercise *e = ((const LadderPage *)context)->items[row];
  snprintf(text, sizeof text, "%s %s %s %s", e->id, e->name, e->title, e->teaches);
  return text;
}

static void load_states(LadderPage *self) {
  for (int i = 0; i < self->count; i++) solved_load(self->progress, self->items[i]->name, &self->states[i]);
}

// ---- drawing -------------------------------------------------------------------------------------------------------

static void lessons_text(const Exercise *e, LsText *out) {
  for (int i = 0; i < e->lesson_count; i++) ls_text_addf(out, "%s%s", i ? " " : "", e->lessons[i]);
}

static void draw_row(const LadderPage *self, Canvas *canvas, int width, int row) {
  const Exercise *e = self->items[row];
  const Solved *state = &self->states[row];
  int y = self->rows.y + row - self->rows.top;
  LsText lessons = {0};
  list_mark(&self->rows, canvas, 0, width, row);
  lessons_text(e, &lessons);
  if (state->passed) canvas_text(canvas, MARK_X, y, ROLE_GOOD, STYLE_BOLD, "✓");
  else if (state->tries) canvas_text(canvas, MARK_X, y, ROLE_WAITING, 0, "·");
  canvas_text(canvas, ID_X, y, ROLE_ACTIVE, 0, e->id);
  canvas_text_cut(canvas, TITLE_X, y, width - TITLE_X - LESSONS_W, ROLE_TEXT, row == self->rows.chosen ? STYLE_BOLD : 0,
                  e->title);
  canvas_text(canvas, width - LESSONS_W + 1, y, ROLE_DIM, 0, ls_text_str(&lessons));
  ls_text_free(&lessons);
}

static void state_words(const Solved *state, LsText *out) {
  if (!state->tries) ls_text_add(out, "not tried yet");
  else if (state->passed) ls_text_add(out, "solved");
  else if (state->tries == 1) ls_text_add(out, "judged once, not solved yet");
  else ls_text_addf(out, "judged %d times, not solved yet", state->tries);
}

static void draw_chosen(const LadderPage *self, Canvas *canvas, Rect rect) {
  const Exercise *e = self->items[self->rows.chosen];
  LsText state = {0};
  state_words(&self->states[self->rows.chosen], &state);
  rect = column_labeled(canvas, rect, LABEL_W, "teaches", ROLE_TEXT, e->teaches);
  rect = column_labeled(canvas, rect, LABEL_W, "so far", self->states[self->rows.chosen].passed ? ROLE_GOOD : ROLE_TEXT,
                        ls_text_str(&state));
  rect = column_below(rect, 1);
  Pen pen = {.canvas = canvas, .rect = rect, .fresh = true, .gap = true, .mark_row = -1};
  pen_text(&pen, e->statement, ROLE_TEXT);
  ls_text_free(&state);
}

static int count_solved(const LadderPage *self) {
  int solved = 0;
  for (int i = 0; i < self->count; i++) solved += self->states[i].passed;
  return solved;
}

static void ladder_draw(Page *page, Canvas *canvas) {
  LadderPage *self = (LadderPage *)page;
  bool wide = canvas->cols >= WIDE;
  int width = wide ? LIST_W : canvas->cols, rows = canvas->rows - TOP - (wide ? 2 : BOTTOM + 1);
  char solved[40];
  load_states(self);
  snprintf(solved, sizeof solved, "%d of %d solved", count_solved(self), self->count);
  FrameTitle title = {.crumbs = {"lanescope", "practice"}, .crumb_count = 2,
                      .middle = {"kernels to write, judged at every save"}, .right = solved};
  frame_title(canvas, &title);
  list_place(&self->rows, TOP, LS_MAX(rows, 1));
  for (int row = self->rows.top; list_shows(&self->rows, row); row++) draw_row(self, canvas, width, row);
  list_count(&self->rows, canvas, ID_X);
  const char *name = self->items[self->rows.chosen]->title;
  if (wide) {
    canvas_rule(canvas, LIST_W + 2, TOP, canvas->cols - LIST_W - 4, name, NULL);
    draw_chosen(self, canvas, (Rect){LIST_W + 2, TOP + 2, canvas->cols - LIST_W - 4, canvas->rows - TOP - 4});
  } else {
    int y = canvas->rows - BOTTOM;
    canvas_rule(canvas, 0, y, canvas->cols, name, NULL);
    draw_chosen(self, canvas, (Rect){MARK_X, y + 1, canvas->cols - 2 * MARK_X, BOTTOM - 2});
  }
  static const FooterKey keys[] = {{"↑↓", "up down", "choose"}, {"⏎", "enter", "write it"}, {"/", NULL, "find"},
                                  {"?", NULL, "help"}, {"q", NULL, "back"}};
  if (self->rows.searching) frame_prompt(canvas, "/", self->rows.search, "07, transpose, scan, a word");
  else frame_keys(canvas, keys, LS_COUNT(keys));
}

// ---- keys ----------------------------------------------------------------------------------------------------------

static bool ladder_key(Page *page, AppKey key) {
  LadderPage *self = (LadderPage *)page;
  bool was_searching = self->rows.searching;
  ListResult result = list_key(&self->rows, key);
  if (result == LIST_OPEN)
    page->open = page_practice_new(self->items[self->rows.chosen], NULL, self->progress, self->book);
  if (result != LIST_IGNORED || was_searching) return true;
  CommandId id = command_for_key(key.code, CTX_M);
  if (id == CMD_HELP) page->open = page_help_new(CTX_M);
  page->closed = id == CMD_QUIT || id == CMD_CANCEL;
  return page->closed || page->open;
}

static void ladder_free(Page *page) {
  LadderPage *self = (LadderPage *)page;
  free(self->items);
  free(self->states);
  free(page);
}

static const PageClass ladder_class = {ladder_draw, ladder_key, NULL, ladder_free};

// The first that is not solved.
static int next_one(const LadderPage *self) {
  for (int i = 0; i < self->count; i++)
    if (!self->states[i].passed) return i;
  return 0;
}

Page *page_ladder_new(ExerciseBook *exercises, Progress *progress, RecipeBook *book) {
  LsErr err = {0};
  LadderPage *self = ls_alloc(sizeof *self);
  int count = exercises->count(exercises);
  *self = (LadderPage){.base.class = &ladder_class, .exercises = exercises, .progress = progress, .book = book};
  self->items = ls_alloc((size_t)LS_MAX(count, 1) * sizeof *self->items);
  self->states = ls_alloc((size_t)LS_MAX(count, 1) * sizeof *self->states);
  for (; self->count < count; self->count++)
    if (!(self->items[self->count] = exercises->get(exercises, self->count, &err))) break;
  if (self->count < count || !count) {
    if (count == 0) ls_fail(&err, LS_EENV, "there are no exercises: lessons/practice is empty");
    ladder_free(&self->base);
    return page_error_new(&err);
  }
  self->rows = (List){.count = count, .text = row_text, .context = self};
  load_states(self);
  self->rows.chosen = next_one(self);
  return &self->base;
}
