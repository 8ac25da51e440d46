// page_follow.c: a student's explorer beside a demo: it goes where the speaker goes, until the student goes alone.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/models/models.h"
#include "app/stage/follow.h"
#include "base/mem.h"
#include "ui/models/pane.h"
#include "ui/pages/page.h"
#include "ui/pages/rerun.h"
#include "ui/panels/panel.h"
#include "ui/views/frame.h"
#include "ui/views/view.h"

enum { LOOKS_MS = 100, KEPT = 6 };
static const double NOTICED_AFTER = 0.08;   // seconds; shorter runs come without a flash of progress

// A run that was made, so that going back is instant.
typedef struct KeptRun { StandRun from; Run *run; } KeptRun;

typedef struct FollowPage {
  Page base;
  Follow *follow;
  RecipeBook *book;            // borrowed
  uint64_t news;               // that was gone to
  Session *session; StandRun shown;   // what it shows of the speaker's; NULL: nothing yet
  Rerun rerun;                 // what the student runs
  bool alone;                  // the student went away; f returns
  KeptRun kept[KEPT]; int kept_count;   // the newest first
  Job *job; StandRun making; double waited;
  StandRun failed; char message[512];   // a run that this version cannot make, and why
  ModelPane pane;
} FollowPage;

// ---- runs -----------------------------------------------------------------------------------------------------------

static Run *kept_run(FollowPage *self, const StandRun *wanted) {
  for (int i = 0; i < self->kept_count; i++)
    if (stand_same_run(&self->kept[i].from, wanted)) return self->kept[i].run;
  return NULL;
}

static void keep(FollowPage *self, const StandRun *from, Run *run) {
  if (self->kept_count == KEPT) run_free(self->kept[--self->kept_count].run);
  memmove(&self->kept[1], &self->kept[0], sizeof *self->kept * (size_t)self->kept_count++);
  self->kept[0] = (KeptRun){*from, run};
}

static void fail(FollowPage *self, const StandRun *wanted, const LsErr *err) {
  self->failed = *wanted;
  snprintf(self->message, sizeof self->message, "The speaker shows what cannot be shown here: %.400s", err->message);
}

// What was being made is there. A run that nobody wants any more is kept all the same.
static void take_job(FollowPage *self) {
  LsErr err = {0};
  Run *run = job_take(self->job, &err);
  self->job = NULL;
  if (run) keep(self, &self->making, run);
  else fail(self, &self->making, &err);
}

static void start_job(FollowPage *self, const StandRun *wanted) {
  RunRequest request;
  LsErr err = {0};
  if (stand_request(wanted, self->book, &request, &err)) {
    self->making = *wanted;
    self->waited = 0;
    self->job = job_start(&request);
  } else {
    fail(self, wanted, &err);
  }
  run_request_fini(&request);
}

// The run if it is there. Else it is made, one at a time; NULL.
static Run *run_for(FollowPage *self, const StandRun *wanted) {
  Run *run = kept_run(self, wanted);
  if (run || stand_same_run(&self->failed, wanted)) return run;
  if (!self->job) start_job(self, wanted);
  else if (!stand_same_run(&self->making, wanted)) job_cancel(self->job);   // the speaker is elsewhere by now
  return NULL;
}

// ---- going there ----------------------------------------------------------------------------------------------------

static void ready_session(FollowPage *self) {
  Session *session = self->session;
  session->book = self->book;
  session->patience = PAGE_PATIENCE;
  session->panels = panels;
  session->room = view_room;
}

static void show_model(FollowPage *self, const StageStand *stand) {
  const Model *model = model_find(stand->model, NULL);
  ModelValues values;
  char words[STAND_VALUES + 1], *rest = NULL;
  if (!model) return;
  model_defaults(model, &values);
  snprintf(words, sizeof words, "%s", stand->model_values);
  for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
    model_set(model, &values, word, NULL);
  model_pane_init(&self->pane, model, &values);
}

static void show_beside(FollowPage *self, const StageStand *stand, Run *beside) {
  Session *session = self->session;
  if (!beside) ses_close_compare(session);
  else if (session->other != beside) ses_put_beside(session, run_share(beside), stand->beside.kernel);
}

// True if all that the stand needs is there, and is shown.
static bool go(FollowPage *self, const StageStand *stand) {
  bool pair = stand->beside.kernel[0] != 0;
  self->pane = (ModelPane){0};
  if (stand->model[0]) return show_model(self, stand), true;
  if (!stand->run.kernel[0]) return true;
  Run *run = run_for(self, &stand->run);
  if (!run) return stand_same_run(&self->failed, &stand->run);
  Run *beside = pair ? run_for(self, &stand->beside) : NULL;
  if (pair && !beside && !stand_same_run(&self->failed, &stand->beside)) return false;
  if (!self->session) self->session = ses_new(run_share(run));
  else if (self->session->run != run) ses_replace_run(self->session, run_share(run));
  self->shown = stand->run;
  ready_session(self);
  show_beside(self, stand, beside);
  stand_go(stand, self->session);
  return true;
}

static bool catch_up(FollowPage *self) {
  const StageStand *stand = follow_stand(self->follow);
  uint64_t news = follow_news(self->follow);
  if (self->session) self->session->hides = self->session->untold = stand && stand->hidden;
  if (!stand || self->alone || news == self->news) return false;
  if (self->session) ses_close_panel(self->session), self->session->want_rerun = false;
  if (!go(self, stand)) return false;
  self->news = news;
  if (self->session) self->session->hides = self->session->untold = stand->hidden;
  return true;
}

static void come_back(FollowPage *self) {
  rerun_fini(&self->rerun);
  self->rerun = (Rerun){0};
  self->alone = false;
  self->news = 0;
  self->failed = (StandRun){0};
  self->message[0] = 0;
  catch_up(self);
}

// ---- drawing --------------------------------------------------------------------------------------------------------

static void draw_words(Canvas *canvas, const char *title, const char *text) {
  enum { SIDE = 4 };
  Rect rect = {SIDE, canvas->rows / 2 - 2, canvas->cols - 2 * SIDE, 5};
  canvas_text_cut(canvas, rect.x, rect.y, rect.w, ROLE_TITLE, STYLE_BOLD, title);
  rect.y += 2;
  canvas_text_wrap(canvas, rect, 0, ROLE_TEXT, 0, text);
}

// The letters that can be pressed, the one that was, and nothing of what others said.
static void draw_vote(const FollowPage *self, const StageStand *stand, Canvas *canvas) {
  int y = canvas->rows - 1, voted = follow_voted(self->follow), x;
  Rect row = {0, y, canvas->cols, 1};
  canvas_fill(canvas, row, ' ', ROLE_TEXT, 0);
  canvas_background(canvas, row, ROLE_SELECTED);
  x = canvas_text(canvas, 1, y, ROLE_CURSOR, STYLE_BOLD, stand->round ? "Vote once more: " : "Vote: ");
  for (int i = 0; i < stand->options; i++)
    x = canvas_textf(canvas, x, y, i == voted ? ROLE_GOOD : ROLE_TEXT, STYLE_BOLD | (i == voted ? STYLE_REVERSE : 0),
                     " %c ", 'a' + i) + 1;
  const char *words = self->alone  ? "f first"
                      : voted >= 0 ? "counted; another letter changes it"
                                   : "the question is on the wall";
  canvas_text_cut(canvas, x + 1, y, canvas->cols - x - 2, ROLE_TEXT, 0, words);
}

static void draw_keys(Canvas *canvas, bool alone) {
  static const FooterKey there[] = {{"\u2190\u2192", NULL, "go on alone"}, {"?", NULL, "help"}, {"q", NULL, "leave"}};
  static const FooterKey gone[] = {{"f", NULL, "back to the speaker"}, {"\u2190\u2192", NULL, "steps"},
                                   {"?", NULL, "help"}, {"q", NULL, "leave"}};
  if (alone) frame_keys(canvas, gone, LS_COUNT(gone));
  else frame_keys(canvas, there, LS_COUNT(there));
}

static void draw_state(const FollowPage *self, Canvas *canvas) {
  bool lost = follow_state(self->follow) != FOLLOW_IN;
  const char *words = self->alone ? " alone, f returns to the speaker "
                      : lost      ? " the speaker is gone "
                                  : " with the speaker ";
  int width = ls_utf8_width(words), x = canvas->cols - width;
  canvas_fill(canvas, (Rect){x, 0, width, 1}, ' ', ROLE_TEXT, 0);
  canvas_background(canvas, (Rect){x, 0, width, 1}, self->alone || lost ? ROLE_SELECTED : ROLE_BAR);
  canvas_text(canvas, x, 0, lost ? ROLE_ALARM : self->alone ? ROLE_CURSOR : ROLE_GOOD, STYLE_BOLD, words);
}

static bool draw_making(const FollowPage *self, Canvas *canvas) {
  if (!self->job || self->waited < NOTICED_AFTER || self->alone) return false;
  const RunProgress *progress = job_progress(self->job);
  frame_progress(canvas, &(FrameProgress){progress->stage, self->making.kernel, self->waited, progress->permille,
      progress->bytes});
  return true;
}

static void draw_hidden(FollowPage *self, Canvas *canvas) {
  Session *session = self->session;
  session->cols = canvas->cols;
  session->rows = canvas->rows;
  view_draw_source(session, canvas, (Rect){0, 1, canvas->cols, canvas->rows - 2});
  const TraceInfo *info = &session->run->info;
  const char *name = info->title ? info->title : info->kernel;
  frame_title(canvas, &(FrameTitle){.crumbs = {"lanescope", name}, .crumb_count = 2});
}

static void draw_picture(FollowPage *self, const StageStand *stand, Canvas *canvas) {
  Session *session = self->session;
  bool kernel = session && (self->alone || stand->run.kernel[0]);
  if (stand->black && !self->alone) {
    draw_words(canvas, "", "");
  } else if (self->pane.model && !self->alone) {
    model_pane_draw(&self->pane, canvas, (Rect){0, 1, canvas->cols, canvas->rows - 2}, true);
  } else if (!kernel) {
    draw_words(canvas, "With the speaker",
        "The picture is on the wall: this scene has no kernel of its own to show here.");
  } else if (stand->hidden && !self->alone && !session->panel) {
    draw_hidden(self, canvas);
  } else {
    session->lowest = self->base.lowest;
    session->ascii = canvas->ascii;
    explorer_draw(session, canvas);
  }
}

static void draw_waiting(const FollowPage *self, Canvas *canvas) {
  bool refused = follow_state(self->follow) == FOLLOW_REFUSED;
  LsText text = {0};
  if (refused) ls_text_addf(&text, "%s.", follow_why(self->follow));
  else ls_text_addf(&text, "%s%sThis goes on by itself when the demo does.", follow_why(self->follow),
      *follow_why(self->follow) ? ". " : "");
  draw_words(canvas, refused ? "No way in" : "Waiting for the speaker", ls_text_str(&text));
  ls_text_free(&text);
  canvas_text(canvas, 1, canvas->rows - 1, ROLE_DIM, 0, "q leave");
}

static bool panel_open(const FollowPage *self) { return self->session && self->session->panel; }

static void page_draw_follow(Page *page, Canvas *canvas) {
  FollowPage *self = (FollowPage *)page;
  const StageStand *stand = follow_stand(self->follow);
  if (canvas->rows < PAGE_MIN_ROWS) canvas->stage = true;   // the picture alone
  if (!stand || follow_state(self->follow) == FOLLOW_REFUSED) return draw_waiting(self, canvas);
  draw_picture(self, stand, canvas);
  if (!panel_open(self)) draw_state(self, canvas);
  bool said = self->session && self->session->message[0];
  if (draw_making(self, canvas) || panel_open(self)) return;
  if (stand->open && follow_state(self->follow) == FOLLOW_IN) draw_vote(self, stand, canvas);
  else if (self->message[0] && !self->alone) frame_message(canvas, self->message, true);
  else if (!(said && self->alone)) draw_keys(canvas, self->alone);
  rerun_draw(&self->rerun, canvas);
}

// ---- keys -----------------------------------------------------------------------------------------------------------

static void settle(FollowPage *self) {
  Session *session = self->session;
  const Scene *scene = session && session->steps ? ses_scene(session) : NULL;
  bool counting = scene && (!scene->so_far_known || scene->values_pending);
  self->base.ticking = self->job || self->pane.playing || counting ||
      (session && (ses_plays(session) || ses_findings_wait(session) || ses_waves_wait(session) ||
                   ses_schedule_waits(session) || session->schedule_at.plays || ses_difference_waits(session) || rerun_active(&self->rerun, session)));
  self->base.cancels = rerun_works(&self->rerun);
  self->base.watch_fd = follow_fd(self->follow);
  self->base.period_ms = LOOKS_MS;
}

static bool letter_key(FollowPage *self, uint32_t code) {
  const StageStand *stand = follow_stand(self->follow);
  if (!stand || !stand->open || self->alone || code < 'a' || code >= 'a' + (uint32_t)stand->options) return false;
  follow_vote(self->follow, (int)(code - 'a'));
  return true;
}

// Any key of the explorer is a step of one's own.
static bool explorer_key(FollowPage *self, AppKey key) {
  Session *session = self->session;
  if (!session) return false;
  if (key.code == KEY_ESC_ && rerun_cancel(&self->rerun)) return true;
  if (!ses_key(session, key)) return false;
  if (session->want_quit) session->want_quit = false, self->base.closed = true;
  if (command_for_key(key.code, CTX_X) != CMD_HELP) self->alone = true;
  return true;
}

static bool page_key_follow(Page *page, AppKey key) {
  FollowPage *self = (FollowPage *)page;
  bool typing = panel_open(self);
  if (key.code == KEY_NONE_ || key.code == KEYX_RESIZE) return true;
  if (!typing && key.code == 'q') page->closed = true;
  else if (!typing && key.code == 'f') come_back(self);
  else if (typing || !letter_key(self, key.code)) explorer_key(self, key);
  settle(self);
  return true;
}

static bool page_tick_follow(Page *page, double seconds) {
  FollowPage *self = (FollowPage *)page;
  FollowState state = follow_state(self->follow);
  uint64_t news = follow_news(self->follow);
  self->waited += seconds;
  follow_turn(self->follow);
  bool changed = state != follow_state(self->follow) || news != follow_news(self->follow);
  if (self->job && job_done(self->job)) take_job(self), changed = true;
  if (catch_up(self)) changed = true;
  if (self->job && self->waited > NOTICED_AFTER) changed = true;
  if (self->session && rerun_tick(&self->rerun, self->session, seconds)) changed = true;
  if (changed && self->session && !page->open) page->open = rerun_failure(&self->rerun);
  if (self->session && ses_tick(self->session, seconds)) changed = true;
  settle(self);
  return changed;
}

static void page_free_follow(Page *page) {
  FollowPage *self = (FollowPage *)page;
  job_free(self->job);
  rerun_fini(&self->rerun);
  for (int i = 0; i < self->kept_count; i++) run_free(self->kept[i].run);
  ses_free(self->session);
  follow_close(self->follow);
  free(self);
}

static const PageClass follow_class = {page_draw_follow, page_key_follow, page_tick_follow, page_free_follow};

Page *page_follow_new(Follow *follow, RecipeBook *book) {
  FollowPage *self = ls_alloc(sizeof *self);
  self->base.class = &follow_class;
  self->base.stages = true;
  self->follow = follow;
  self->book = book;
  settle(self);
  return &self->base;
}
