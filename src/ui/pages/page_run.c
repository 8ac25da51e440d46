// page_run.c: makes a run, shows how far it is, and opens the explorer on it.
#include <stdlib.h>
#include <string.h>
#include "app/run/job.h"
#include "app/models/models.h"
#include "app/run/recordings.h"
#include "base/mem.h"
#include "ui/views/frame.h"
#include "ui/pages/page.h"

typedef struct Stage { const char *name; double since; } Stage;   // seconds after the start

typedef struct RunPage {
  Page base;
  Job *job;
  RecipeBook *book;
  char *name;
  double seconds;
  Page *(*otherwise)(const LaunchAsk *ask); LaunchAsk ask; RunRequest request;   // the request is that of ask
  bool is_early;                         // stopped by the page: what is recorded is shown, while all of it runs again
  Stage stages[16]; int stage_count;     // as they were seen; the last one goes on
} RunPage;

enum { LEFT = 4, TOP = 2 };
static const double OPENS_AFTER = 2.0;      // seconds after which a large grid is opened with what is recorded of it
static const double NOTICED_AFTER = 0.08;   // seconds without a word; most kernels are there by then

static void note_stage(RunPage *self, const char *name) {
  bool is_new = !self->stage_count || self->stages[self->stage_count - 1].name != name;
  if (is_new && self->stage_count < LS_COUNT(self->stages)) self->stages[self->stage_count++] = (Stage){name, self->seconds};
}

// What was done and for how long: a run on another machine has many reasons to take its time.
static void draw_stages(const RunPage *self, Canvas *canvas) {
  enum { WIDTH = 36 };
  for (int i = 0; i < self->stage_count; i++) {
    bool goes_on = i + 1 == self->stage_count;
    double end = goes_on ? self->seconds : self->stages[i + 1].since;
    Role role = goes_on ? ROLE_TEXT : ROLE_DIM;
    if (goes_on) canvas_text(canvas, LEFT - 2, TOP + i, ROLE_CURSOR, 0, "▸");
    canvas_text(canvas, LEFT, TOP + i, role, 0, self->stages[i].name);
    canvas_textf(canvas, LEFT + WIDTH, TOP + i, role, 0, "%6.1f s", end - self->stages[i].since);
  }
}

static void run_page_draw(Page *page, Canvas *canvas) {
  RunPage *self = (RunPage *)page;
  FrameTitle title = {.crumbs = {"lanescope", self->name}, .crumb_count = 2};
  frame_title(canvas, &title);
  if (!self->job || self->seconds < NOTICED_AFTER) return;
  const RunProgress *progress = job_progress(self->job);
  char note[RUN_NOTE];
  run_note(progress, note);
  draw_stages(self, canvas);
  canvas_text_cut(canvas, LEFT, TOP + self->stage_count + 1, canvas->cols - 2 * LEFT, ROLE_DIM, 0, note);
  frame_progress(canvas, &(FrameProgress){.stage = progress->stage, .permille = progress->permille, .bytes = progress->bytes});
}

static bool run_page_key(Page *page, AppKey key) {
  RunPage *self = (RunPage *)page;
  if (key.code != KEY_ESC_ && key.code != 'q') return false;
  job_free(self->job);
  self->job = NULL;
  page->closed = true;
  page->parting = ls_alloc(sizeof *page->parting);
  ls_fail(page->parting, LS_ECANCEL, "canceled: %s was not run to its end", LS_QUOTE(self->name));
  return true;
}

static bool run_page_tick(Page *page, double seconds) {
  RunPage *self = (RunPage *)page;
  self->seconds += seconds;
  if (self->job) note_stage(self, job_progress(self->job)->stage);
  if (self->job && self->seconds >= OPENS_AFTER && !self->is_early && job_progress(self->job)->may_keep) {
    self->is_early = true;
    job_stop(self->job);
  }
  if (!self->job || !job_done(self->job)) return self->seconds >= NOTICED_AFTER;
  LsErr err = {0};
  int lacks = job_progress(self->job)->lacks;
  Run *run = job_take(self->job, &err);
  self->job = NULL;
  if (run) {
    Session *session = ses_new(run);
    session->book = self->book;
    if (self->is_early && run->interrupted) ses_open_early(session);
    page->open = page_explorer_new(session);
  } else if (lacks && self->otherwise) {
    self->ask.request = &self->request;
    page->open = self->otherwise(&self->ask);
  } else {
    page->open = page_error_new(&err);
  }
  page->closed = true;
  return true;
}

static void run_page_free(Page *page) {
  RunPage *self = (RunPage *)page;
  job_free(self->job);
  if (self->otherwise) run_request_fini(&self->request);
  free(self->name);
  free(self);
}

static const PageClass run_class = {run_page_draw, run_page_key, run_page_tick, run_page_free};

Page *page_job_new(Job *job, const char *name, RecipeBook *book, Page *(*otherwise)(const LaunchAsk *ask),
                   const LaunchAsk *ask) {
  RunPage *self = ls_alloc(sizeof *self);
  self->base.class = &run_class;
  self->base.ticking = true;
  self->book = book;
  self->name = ls_strdup(name);
  self->job = job;
  self->otherwise = otherwise;
  if (otherwise) self->ask = *ask;
  if (otherwise) run_request_copy(&self->request, ask->request);
  return &self->base;
}

Page *page_run_new(const RunRequest *request, RecipeBook *book) {
  return page_job_new(job_start(request), request->what ? request->what : "run", book, NULL, NULL);
}

static bool recipe_request(RecipeBook *book, const char *name, RunRequest *request, LsErr *err) {
  const Recipe *recipe = book->get(book, name, err);
  if (!recipe) return false;
  run_request_init(request);
  request->what = ls_strdup(name);
  request->recipe = recipe;
  recipe_defaults(recipe, &request->values);
  run_request_use_cut(request);
  return true;
}

Page *page_recipe_new(RecipeBook *book, const char *name) {
  LsErr err = {0};
  RunRequest request;
  if (!recipe_request(book, name, &request, &err)) return page_error_new(&err);
  const Model *model = request.recipe->model ? model_named(request.recipe->model) : NULL;
  ModelValues values;
  bool fits = model && model_of_recipe(model, request.recipe, &values, &err);
  Page *page = fits ? page_model_new(model, &values) : model ? page_error_new(&err) : page_run_new(&request, book);
  run_request_fini(&request);
  return page;
}

// Sets the values of the first recording, where the defaults are not recorded.
static void take_recorded_values(RunRequest *request) {
  Recordings all;
  recordings_of(request->what, &all);
  char *values = ls_strdup(all.count ? all.items[0].parameters : ""), *rest = values, *word;
  while ((word = strsep(&rest, " ")))
    if (*word) recipe_set(request->recipe, &request->values, word, NULL);
  free(values);
  recordings_fini(&all);
}

Page *page_recording_new(RecipeBook *book, const char *name) {
  LsErr err = {0};
  RunRequest request;
  if (!recipe_request(book, name, &request, &err)) return page_error_new(&err);
  free(request.device);
  request.device = ls_strdup("recorded");
  char *path = recording_find(&request, NULL);
  if (!path) take_recorded_values(&request);
  Page *page = page_run_new(&request, book);
  run_request_fini(&request);
  free(path);
  return page;
}
