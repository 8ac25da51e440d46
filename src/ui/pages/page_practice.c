// page_practice.c: an exercise: what is to be written, the student's file, and what is said of it at every save.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/own/editor.h"
#include "base/clock.h"
#include "base/mem.h"
#include "ui/pages/page.h"
#include "ui/pages/practice_draw.h"
#include "ui/pages/practice_others.h"
#include "ui/views/frame.h"

typedef struct PracticePage {
  Page base;
  RecipeBook *book;
  Progress *progress;
  const Exercise *exercise;
  Attempt *attempt;
  PracticeOthers *others;          // once it is solved; NULL
  int seen;                        // of what attempt_told counts
  LsText cases;
  int tips;                        // so many were asked for
  bool task;                       // where there is room for one of them: the task is shown, not the verdict
  bool wide;                       // they stand side by side; as last drawn
  int top, rows, all;              // of what scrolls: first row shown, rows shown, rows in all; as last drawn
  Job *job;                        // the run to be looked at
  uint64_t step;
  char note[200];                  // until the next key
} PracticePage;

enum { TOP = 2, LEFT = 2, WIDE = 110, TASK_W = 44, GAP = 3, FAR_DOWN = 1 << 20, SHELL_NO_PROGRAM = 127 };

// ---- the picture ---------------------------------------------------------------------------------------------------

static bool is_solved(const PracticePage *self) {
  const Verdict *v = attempt_verdict(self->attempt);
  return v && v->passed;
}

static void waiting_words(const PracticePage *self, LsText *out) {
  const char *path = attempt_path(self->attempt);
  if (attempt_was_made(self->attempt))
    ls_text_addf(out, "`%s` is new: the starter is in it. Write in your own editor, here or in another window; at every "
                 "save it is judged.\n\n", path);
  else if (attempt_is_starter(self->attempt))
    ls_text_addf(out, "`%s` is as the starter was. Write in your own editor; at every save it is judged.\n\n", path);
  else
    ls_text_addf(out, "`%s` was not judged to the end: *r* begins again, and so does every save.\n\n", path);
  ls_text_addf(out, "*E* opens it in %s.", editor_name());
}

// In place of a verdict.
static int draw_waiting(const PracticePage *self, Canvas *canvas, Rect rect) {
  LsText words = {0};
  const LsErr *err = attempt_error(self->attempt);
  if (err) ls_text_addf(&words, "%s", err->message);
  else if (!attempt_progress(self->attempt)) waiting_words(self, &words);
  int rows = practice_draw_words(ls_text_str(&words), err != NULL, canvas, rect, self->top);
  ls_text_free(&words);
  return rows;
}

static int draw_said(const PracticePage *self, Canvas *canvas, Rect rect) {
  const Verdict *v = attempt_verdict(self->attempt);
  int count = 0;
  const PracticeOther *others = self->others ? practice_others(self->others, &count) : NULL;
  if (!v || attempt_error(self->attempt)) return draw_waiting(self, canvas, rect);
  return practice_draw_verdict(v, others, count, canvas, rect, self->top);
}

// file: where it is to be written stands below the task.
static int draw_task(const PracticePage *self, Canvas *canvas, Rect rect, int top, bool file) {
  LsText words = {0};
  if (file && !attempt_count(self->attempt)) waiting_words(self, &words);
  int rows = practice_draw_task(self->exercise, ls_text_str(&self->cases), ls_text_str(&words), self->tips, canvas, rect, top);
  ls_text_free(&words);
  return rows;
}

static void scroll(PracticePage *self, int rows) {
  self->top = LS_CLAMP(self->top + rows, 0, LS_MAX(self->all - self->rows, 0));
}

static void rule(const PracticePage *self, Canvas *canvas, int x, int y, int w) {
  char right[48] = "";
  int count = attempt_count(self->attempt);
  if (count) snprintf(right, sizeof right, count == 1 ? "judged once" : "judged %d times", count);
  canvas_rule(canvas, x, y, w, attempt_path(self->attempt), right);
}

// Side by side where the task has room, or one of the two.
static void draw_body(PracticePage *self, Canvas *canvas) {
  Rect all = {LEFT, TOP, canvas->cols - 2 * LEFT, canvas->rows - TOP - 2};
  bool was_wide = self->wide;
  self->wide = canvas->cols >= WIDE && draw_task(self, canvas, (Rect){LEFT, TOP, TASK_W, 0}, 0, false) <= all.h;
  if (was_wide && !self->wide && self->task) self->top = FAR_DOWN;   // a tip was one too many
  if (self->wide) {
    Rect task = {LEFT, TOP, TASK_W, all.h}, said = {LEFT + TASK_W + GAP, TOP + 1, all.w - TASK_W - GAP, all.h - 1};
    draw_task(self, canvas, task, 0, false);
    rule(self, canvas, said.x, TOP, said.w);
    self->rows = said.h;
    self->all = draw_said(self, canvas, (Rect){said.x, said.y, said.w, 0});
    scroll(self, 0);
    draw_said(self, canvas, said);
    return;
  }
  Rect below = {LEFT, TOP + 1, all.w, all.h - 1};
  self->rows = below.h;
  if (self->task) canvas_rule(canvas, LEFT, TOP, all.w, self->exercise->title, self->exercise->teaches);
  else rule(self, canvas, LEFT, TOP, all.w);
  Rect none = {below.x, below.y, below.w, 0};
  self->all = self->task ? draw_task(self, canvas, none, 0, true) : draw_said(self, canvas, none);
  scroll(self, 0);
  if (self->task) draw_task(self, canvas, below, self->top, true);
  else draw_said(self, canvas, below);
}

static void draw_footer(const PracticePage *self, Canvas *canvas) {
  const Verdict *v = attempt_verdict(self->attempt);
  FooterKey keys[10];
  int count = 0;
  if (v && v->failed && v->failure.has_request) keys[count++] = (FooterKey){"⏎", "enter", "look at it"};
  if (is_solved(self)) keys[count++] = (FooterKey){"1-9", NULL, "another way"};
  if (!self->wide) keys[count++] = (FooterKey){"s", NULL, self->task ? "what was said" : "the task"};
  if (self->tips < self->exercise->tip_count) keys[count++] = (FooterKey){"t", NULL, "a tip"};
  keys[count++] = (FooterKey){"E", NULL, "edit"};
  keys[count++] = (FooterKey){"r", NULL, "judge again"};
  if (self->all > self->rows) keys[count++] = (FooterKey){"↑↓", "up down", "more"};
  keys[count++] = (FooterKey){"?", NULL, "help"};
  keys[count++] = (FooterKey){"q", NULL, "back"};
  frame_keys(canvas, keys, count);
}

static void practice_draw(Page *page, Canvas *canvas) {
  PracticePage *self = (PracticePage *)page;
  const RunProgress *progress = self->job ? job_progress(self->job) : attempt_progress(self->attempt);
  char number[24];
  snprintf(number, sizeof number, "%s", self->exercise->id);
  FrameTitle title = {.crumbs = {"lanescope", "practice", self->exercise->title}, .crumb_count = 3,
                      .middle = {self->exercise->teaches}, .right = is_solved(self) ? "solved" : number};
  frame_title(canvas, &title);
  draw_body(self, canvas);
  if (self->note[0]) frame_message(canvas, self->note, false);
  else if (progress) frame_progress(canvas, &(FrameProgress){.stage = progress->stage, .permille = progress->permille});
  else draw_footer(self, canvas);
}

// ---- keys ----------------------------------------------------------------------------------------------------------

// The run in which it shows: made again with its events, then opened where it shows.
static void look_at(PracticePage *self) {
  const Verdict *v = attempt_verdict(self->attempt);
  if (!v || !v->failed || !v->failure.has_request || self->job) return;
  self->step = v->failure.step;
  self->job = job_start(&v->failure.request);
}

static void open_run(PracticePage *self) {
  LsErr err = {0};
  Run *run = job_take(self->job, &err);
  self->job = NULL;
  if (!run) {
    self->base.open = page_error_new(&err);
    return;
  }
  Session *session = ses_new(run);
  char at[24] = "fault";
  session->book = self->book;
  if (self->step != UINT64_MAX) snprintf(at, sizeof at, "%llu", (unsigned long long)self->step);
  bool known = self->step != UINT64_MAX || run->fault_count;
  if (!known || !ses_go_named(session, at, "--at", NULL)) ses_go_finding(session, 0);   // what wastes most
  self->base.open = page_explorer_new(session);
}

static void ask_tip(PracticePage *self) {
  const Exercise *e = self->exercise;
  if (self->tips == e->tip_count) {
    snprintf(self->note, sizeof self->note, "there are no more tips");
    return;
  }
  self->tips++;
  self->task = true;
  if (!self->wide) self->top = FAR_DOWN;   // where it stands
}

static bool open_other(PracticePage *self, int index) {
  int count = 0;
  const PracticeOther *others = self->others ? practice_others(self->others, &count) : NULL;
  if (index >= count) return false;
  LsErr err = {0};
  char *text = practice_other_text(self->exercise, &others[index], &err);
  char *title = ls_format("%s: %s", self->exercise->title, others[index].name);
  self->base.open = text ? page_code_new(title, others[index].what ? others[index].what : "", text)
                         : page_error_new(&err);
  free(title);
  free(text);
  return true;
}

static bool scrolled(PracticePage *self, AppKey key) {
  switch (key.code) {
    case KEYX_UP: scroll(self, -1); return true;
    case KEYX_DOWN: scroll(self, 1); return true;
    case KEYX_PGUP: scroll(self, -self->rows); return true;
    case KEYX_PGDN: case ' ': scroll(self, self->rows); return true;
    case KEYX_HOME: self->top = 0; return true;
    case KEYX_END: scroll(self, self->all); return true;
    case KEYX_MOUSE: return scroll(self, key.button == 4 ? -3 : key.button == 5 ? 3 : 0), key.button >= 4;
    default: return false;
  }
}

static bool cancel(PracticePage *self) {
  bool busy = self->job || attempt_progress(self->attempt);
  if (self->job) job_free(self->job), self->job = NULL;
  else if (busy) attempt_cancel(self->attempt);
  return busy;
}

static const FooterKey help_keys[] = {
    {"⏎", "enter", "look at the run in which it goes wrong, at the place"},
    {"s", NULL, "the task, or what was said of the file"},
    {"t", NULL, "a tip; the last one nearly says it"},
    {"E", NULL, "write: your editor ($VISUAL, $EDITOR, vi), at the line that it is about"},
    {"r", NULL, "judge again, with other sizes and data"},
    {"1-9", NULL, "once it is solved: the source of another way"},
    {"↑↓", "up down", "a row up or down; page up, page down, home and end, and the wheel go further"},
    {"esc", NULL, "stop judging; otherwise back"},
    {"q", NULL, "back; what you wrote stays in its file"},
};

static bool practice_key(Page *page, AppKey key) {
  PracticePage *self = (PracticePage *)page;
  self->note[0] = 0;
  if (scrolled(self, key)) return true;
  switch (key.code) {
    case 's': self->task = !self->task; self->top = 0; return true;
    case 't': ask_tip(self); return true;
    case 'r': attempt_judge(self->attempt); page->ticking = true; return true;
    case 'E': page->shell = editor_command(attempt_path(self->attempt), attempt_verdict(self->attempt)
                                           ? attempt_verdict(self->attempt)->failure.line : 0); return true;
    case KEY_RETURN_: look_at(self); page->ticking = true; return true;
    case KEY_ESC_: if (!cancel(self)) page->closed = true; return true;
    case 'q': page->closed = true; return true;
    case '?': case KEYX_F1: page->open = page_keys_new(help_keys, LS_COUNT(help_keys)); return true;
    default: return key.code >= '1' && key.code <= '9' && open_other(self, (int)(key.code - '1'));
  }
}

// ---- time ----------------------------------------------------------------------------------------------------------

static void take_verdict(PracticePage *self) {
  attempt_keep(self->attempt, self->progress);
  self->seen = attempt_told(self->attempt);
  self->task = false;
  self->top = 0;
  practice_others_free(self->others);
  self->others = is_solved(self) ? practice_others_start(self->exercise, attempt_verdict(self->attempt)->seed) : NULL;
}

// What it said itself is gone with its screen.
static void tell_editor(PracticePage *self) {
  int status = self->base.shell_status;
  if (!status) return;
  self->base.shell_status = 0;
  if (status == SHELL_NO_PROGRAM)
    snprintf(self->note, sizeof self->note, "there is no editor %s: set EDITOR to one, or write in another window",
             editor_name());
  else
    snprintf(self->note, sizeof self->note, "%s ended with status %d", editor_name(), status);
}

static bool practice_tick(Page *page, double seconds) {
  (void)seconds;
  PracticePage *self = (PracticePage *)page;
  tell_editor(self);
  bool news = attempt_look(self->attempt, ls_clock());
  if (attempt_told(self->attempt) != self->seen) take_verdict(self), news = true;
  if (self->job && job_done(self->job)) open_run(self), news = true;
  bool comparing = self->others && practice_others_busy(self->others);
  news |= self->others && practice_others_look(self->others);
  page->ticking = attempt_is_busy(self->attempt) || self->job || comparing;
  page->cancels = self->job || attempt_progress(self->attempt);
  return news || self->job;
}

static void practice_free(Page *page) {
  PracticePage *self = (PracticePage *)page;
  job_free(self->job);
  practice_others_free(self->others);
  attempt_free(self->attempt);
  ls_text_free(&self->cases);
  free(page);
}

static const PageClass practice_class = {practice_draw, practice_key, practice_tick, practice_free};

Page *page_practice_new(const Exercise *exercise, const char *folder, Progress *progress, RecipeBook *book) {
  LsErr err = {0};
  PracticePage *self = ls_alloc(sizeof *self);
  self->base.class = &practice_class;
  self->exercise = exercise;
  self->book = book;
  self->progress = progress;
  self->task = true;
  exercise_cases(exercise, &self->cases);
  self->attempt = attempt_open(exercise, folder, &err);
  if (!self->attempt) {
    practice_free(&self->base);
    return page_error_new(&err);
  }
  self->base.watch_fd = LS_MAX(attempt_fd(self->attempt), 0);
  self->base.period_ms = attempt_period(self->attempt);
  self->base.ticking = attempt_is_busy(self->attempt);
  return &self->base;
}
