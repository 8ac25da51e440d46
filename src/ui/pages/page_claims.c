// page_claims.c: the claims of the lectures: what is said, what comes out, the verdict; Enter opens the run behind it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "ui/pages/lesson_job.h"
#include "ui/pages/column.h"
#include "ui/pages/list_page.h"
#include "ui/views/frame.h"

typedef struct Held { LessonClaim result; char *error; bool done; } Held;

typedef struct ClaimsPage {
  Page base;
  Course *course;
  RecipeBook *book;
  const char *device;
  LsArena *arena;
  CourseClaim *list;
  Held *held;                // beside each of them
  List rows;
  Lesson *lesson;            // the claim that is being held now, `at`; NULL: none
  LessonJob job;
  int at, done;
} ClaimsPage;

enum { TOP = 2, BOTTOM = 2, ID_X = 2, WORD_W = 22, LIST_W = 34, GAP = 2, LABEL_W = 10, HELD_AT_ONCE_MS = 25 };

// ---- holding them, one after the other, the chosen one first --------------------------------------------------------

static const char *kept(ClaimsPage *self, const char *text) { return text ? ls_arena_strdup(self->arena, text) : NULL; }

static void keep(ClaimsPage *self, const LessonClaim *result, const LsErr *err) {
  Held *held = &self->held[self->at];
  char text[1024] = "";
  if (!result) ls_err_text(err, text, sizeof text);
  held->error = result ? NULL : ls_arena_strdup(self->arena, text);
  if (result)
    held->result = (LessonClaim){kept(self, result->value), kept(self, result->now), kept(self, result->today),
                                 kept(self, result->verdict), result->agrees};
  held->done = true;
  self->done++;
  lesson_job_fini(&self->job);
  self->job = (LessonJob){0};
  lesson_free(self->lesson);
  self->lesson = NULL;
}

static void go_on(ClaimsPage *self) {
  LsErr err = {0};
  LessonMove move = lesson_job_go(&self->job, self->lesson, &err);
  if (move == LESSON_RUNS) return;
  keep(self, move == LESSON_MOVED ? lesson_current(self->lesson)->claim : NULL, &err);
}

static int next_open(const ClaimsPage *self) {
  for (int i = 0; i < self->rows.count; i++) {
    int at = (self->rows.chosen + i) % self->rows.count;
    if (!self->held[at].done) return at;
  }
  return -1;
}

static void begin_next(ClaimsPage *self) {
  LsErr err = {0};
  self->at = next_open(self);
  self->base.ticking = self->at >= 0;
  if (self->at < 0) return;
  self->lesson = lesson_claim(self->course, self->list[self->at].id, self->device, self->book, &err);
  if (self->lesson) go_on(self);
  else keep(self, NULL, &err);
}

// Most of them take a millisecond.
static void begin_some(ClaimsPage *self) {
  uint64_t end = ls_clock_ms() + HELD_AT_ONCE_MS;
  do begin_next(self); while (self->base.ticking && !self->lesson && ls_clock_ms() < end);
}

static bool claims_tick(Page *page, double seconds) {
  ClaimsPage *self = (ClaimsPage *)page;
  LsErr err = {0};
  if (!self->lesson) {
    begin_some(self);
    return true;
  }
  LessonJobEnd end = lesson_job_tick(&self->job, self->lesson, seconds, &err);
  if (end == LESSON_JOB_GIVEN || end == LESSON_JOB_NONE) go_on(self);
  else if (end != LESSON_JOB_GOES_ON) keep(self, NULL, &err);
  return true;
}

// ---- drawing --------------------------------------------------------------------------------------------------------

// What came out, or what is expected to as long as nothing has.
static const char *verdict_at(const ClaimsPage *self, int row) {
  const Held *held = &self->held[row];
  return !held->done ? "..." : held->error ? "cannot be run" : held->result.verdict;
}

static Role verdict_role(const ClaimsPage *self, int row) {
  const Held *held = &self->held[row];
  if (!held->done) return ROLE_DIM;
  if (held->error || strcmp(held->result.verdict, "wrong") == 0) return ROLE_ALARM;
  return strncmp(held->result.verdict, "holds", 5) == 0 ? ROLE_GOOD : ROLE_DIM;
}

static const char *row_text(void *context, int row) {
  const ClaimsPage *self = context;
  static char text[1024];
  const CourseClaim *claim = &self->list[row];
  snprintf(text, sizeof text, "%s %s %s %s %s %s", claim->id, verdict_at(self, row),
           claim->erratum ? claim->erratum : "", claim->lesson ? claim->lesson : "", claim->topic, claim->says);
  return text;
}

static void draw_row(ClaimsPage *self, Canvas *canvas, int row) {
  int y = self->rows.y + row - self->rows.top;
  bool here = row == self->rows.chosen, differs = self->held[row].done && !self->held[row].error &&
                                                  !self->held[row].result.agrees;
  list_mark(&self->rows, canvas, 0, LIST_W, row);
  canvas_text(canvas, ID_X + 2, y, ROLE_TEXT, here ? STYLE_BOLD : 0, self->list[row].id);
  canvas_text_cut(canvas, LIST_W - WORD_W - 1, y, WORD_W - 2, verdict_role(self, row), 0, verdict_at(self, row));
  if (differs) canvas_text(canvas, LIST_W - 2, y, ROLE_ALARM, 0, "▲");
}

static const char *source_of(const CourseClaim *claim) {
  static const char *const words[][2] = {
      {"run", "counted in a run"}, {"occupancy", "limits of the device"}, {"model", "a model"},
      {"formula", "worked out"}, {"recording", "recorded on an H200"}, {"profile", "the device's data"}};
  for (int i = 0; claim->on && i < LS_COUNT(words); i++)
    if (strcmp(words[i][0], claim->on) == 0) return words[i][1];
  return claim->on;
}

static void draw_result(const Held *held, const CourseClaim *claim, Canvas *canvas, Rect rect) {
  const LessonClaim *result = &held->result;
  rect = column_labeled(canvas, rect, LABEL_W, "lecture", ROLE_TEXT, result->value);
  rect = column_labeled(canvas, rect, LABEL_W, "here", ROLE_ACTIVE, result->now);
  rect = column_labeled(canvas, rect, LABEL_W, "today", ROLE_ACTIVE, result->today);
  rect = column_labeled(canvas, rect, LABEL_W, "from", ROLE_DIM, result->now ? source_of(claim) : NULL);
  rect = column_below(rect, 1);
  char words[160];
  snprintf(words, sizeof words, "%s%s%s", result->verdict, claim->erratum ? ", erratum " : "",
           claim->erratum ? claim->erratum : "");
  rect = column_labeled(canvas, rect, LABEL_W, "verdict", ROLE_TEXT, words);
  if (!result->agrees) rect = column_labeled(canvas, rect, LABEL_W, "elsewhere", ROLE_ALARM, claim->verdict);
  rect = column_labeled(canvas, rect, LABEL_W, "lesson", ROLE_TEXT, claim->lesson);
  column_paragraph(canvas, column_below(rect, 1), ROLE_TEXT, 0, claim->why);
}

static void draw_chosen(const ClaimsPage *self, Canvas *canvas, Rect rect) {
  const CourseClaim *claim = &self->list[self->rows.chosen];
  const Held *held = &self->held[self->rows.chosen];
  canvas_textf(canvas, rect.x, rect.y, ROLE_TEXT, STYLE_BOLD, "%s", claim->id);
  canvas_text_cut(canvas, rect.x + LABEL_W, rect.y, rect.w - LABEL_W, ROLE_DIM, 0, claim->topic);
  rect = column_paragraph(canvas, column_below(rect, 2), ROLE_TEXT, 0, claim->says);
  if (!held->done) canvas_text(canvas, rect.x, rect.y, ROLE_DIM, 0, "being held against what comes out ...");
  else if (held->error) canvas_text_wrap(canvas, rect, 0, ROLE_ALARM, 0, held->error);
  else draw_result(held, claim, canvas, rect);
}

static void claims_draw(Page *page, Canvas *canvas) {
  ClaimsPage *self = (ClaimsPage *)page;
  char right[64];
  snprintf(right, sizeof right, "%d of %d held", self->done, self->rows.count);
  FrameTitle title = {.crumbs = {"lanescope", "claims"}, .crumb_count = 2,
                      .middle = {"the lectures' numbers, and ours"}, .right = right};
  frame_title(canvas, &title);
  int rows = canvas->rows - TOP - BOTTOM;
  list_place(&self->rows, TOP, self->rows.count > rows ? rows - 1 : rows);
  for (int row = self->rows.top; list_shows(&self->rows, row); row++) draw_row(self, canvas, row);
  list_count(&self->rows, canvas, ID_X + 2);
  int x = LIST_W + GAP;
  if (self->rows.count) draw_chosen(self, canvas, (Rect){x, TOP, LS_MIN(canvas->cols - x - 2, 76), rows});
  list_page_keys(&self->rows, canvas, "the run behind it", "wrong, dated, L06, E137, a word");
}

static Page *open_claim(Page *page) {
  const ClaimsPage *self = (const ClaimsPage *)page;
  LsErr err = {0};
  const char *id = self->list[self->rows.chosen].id;
  Lesson *lesson = lesson_claim(self->course, id, self->device, self->book, &err);
  return lesson ? page_lesson_new(lesson, self->book) : page_error_new(&err);
}

static bool claims_key(Page *page, AppKey key) {
  return list_page_key(page, &((ClaimsPage *)page)->rows, key, open_claim);
}

static void claims_free(Page *page) {
  ClaimsPage *self = (ClaimsPage *)page;
  lesson_job_fini(&self->job);
  lesson_free(self->lesson);
  ls_arena_free(self->arena);
  free(self->held);
  free(self);
}

static const PageClass claims_class = {claims_draw, claims_key, claims_tick, claims_free};

Page *page_claims_new(Course *course, RecipeBook *book, const char *device, int chosen) {
  LsErr err = {0};
  ClaimsPage *self = ls_alloc(sizeof *self);
  self->base.class = &claims_class;
  self->base.ticking = true;
  self->course = course;
  self->book = book;
  self->device = device;
  self->arena = ls_arena_new();
  int count = 0;
  if (!course->claims(course, self->arena, &self->list, &count, &err)) {
    claims_free(&self->base);
    return page_error_new(&err);
  }
  self->held = ls_alloc(sizeof *self->held * (size_t)LS_MAX(count, 1));
  self->rows = (List){.count = count, .chosen = chosen, .text = row_text, .context = self};
  return &self->base;
}
