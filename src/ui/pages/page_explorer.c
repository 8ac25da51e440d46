// page_explorer.c: the explorer as a page: a session, and the runs that it wants.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "app/models/of_run.h"
#include "base/mem.h"
#include "ui/pages/own.h"
#include "ui/pages/page.h"
#include "ui/pages/rerun.h"
#include "ui/panels/panel.h"
#include "ui/views/view.h"

typedef struct ExplorerPage { Page base; Session *session; Rerun rerun; Own own; } ExplorerPage;

// Ticks are wanted while something goes on by itself: playing, a run, totals still being counted.
static void settle(ExplorerPage *self) {
  Session *session = self->session;
  const Scene *scene = session->steps ? ses_scene(session) : NULL;
  bool counting = scene && (!scene->so_far_known || scene->values_pending);
  self->base.ticking = ses_plays(session) || counting || ses_findings_wait(session) || ses_waves_wait(session) ||
      ses_schedule_waits(session) || session->schedule_at.plays || ses_difference_waits(session) ||
      rerun_active(&self->rerun, session) || own_active(&self->own);
  self->base.cancels = rerun_works(&self->rerun) || self->own.job;
  if (session->want_quit) self->base.closed = true;
}

static void explorer_page_draw(Page *page, Canvas *canvas) {
  ExplorerPage *self = (ExplorerPage *)page;
  self->session->lowest = page->lowest;
  self->session->ascii = canvas->ascii;
  explorer_draw(self->session, canvas);
  own_draw(&self->own, canvas);
  rerun_draw(&self->rerun, canvas);
  settle(self);   // the scene knows now whether its totals are counted
}

// The launch that was filled in is the one to run.
static void run_launch(void *context, RunRequest *request) {
  ses_run_request(((ExplorerPage *)context)->session, request);
}

static Page *launch_page(ExplorerPage *self) {
  const Run *run = self->session->run;
  const Launch *launch = &run->request.launch;
  char sizes[3][48];
  char **args = ls_alloc(sizeof *args * (size_t)(launch->arg_count + 1));
  int arg_count = 0;
  for (int i = 0; i < launch->arg_count; i++)   // what a struct points at is in its struct's text
    if ((args[arg_count] = launch_argument_text(launch, i))) arg_count++;
  snprintf(sizes[0], sizeof sizes[0], "%u,%u,%u", launch->grid[0], launch->grid[1], launch->grid[2]);
  snprintf(sizes[1], sizeof sizes[1], "%u,%u,%u", launch->block[0], launch->block[1], launch->block[2]);
  snprintf(sizes[2], sizeof sizes[2], "%llu", (unsigned long long)launch->shared_bytes);
  for (int i = 0; i < 2; i++)
    while (ls_ends_with(sizes[i], ",1")) sizes[i][strlen(sizes[i]) - 2] = 0;
  LaunchAsk ask = {.request = &run->request, .command = "explore", .book = self->session->book, .run = run_launch,
                   .context = self,
                   .given = {launch->kernel, sizes[0], sizes[1], sizes[2], (const char *const *)args, arg_count}};
  Page *page = page_launch_new(&ask);
  for (int i = 0; i < arg_count; i++) free(args[i]);
  free(args);
  return page;
}

// A model with the values of the run as it is shown; one that takes nothing from a run opens as it is.
static void open_model(ExplorerPage *self, const Model *model) {
  Session *session = self->session;
  ModelValues values;
  LsErr err = {0};
  if (!model_takes_run(model)) {
    self->base.open = page_model_new(model, NULL);
    return;
  }
  model_of_run_begin(model, &values);
  bool ok = model_of_run(model, session->run, (int64_t)session->step, &values, &err);
  if (ok) self->base.open = page_model_of_run(model, &values, session->run->info.title);
  else ses_complain(session, "%s", err.message);
}

// What the session cannot do by itself.
static void serve(ExplorerPage *self) {
  Session *session = self->session;
  int wanted = session->wants;
  session->wants = 0;
  if (session->wants_model) open_model(self, session->wants_model);
  session->wants_model = NULL;
  if (wanted == CMD_EDIT) self->base.shell = own_editor(&self->own, session);
  if (wanted == CMD_LAUNCH) self->base.open = launch_page(self);
  if (wanted == CMD_MESSAGES && !(self->base.open = own_messages(&self->own)))
    ses_say(session, "the file compiled without an error");
}

static bool explorer_page_key(Page *page, AppKey key) {
  ExplorerPage *self = (ExplorerPage *)page;
  bool canceled = key.code == KEY_ESC_ && (rerun_cancel(&self->rerun) || own_cancel(&self->own));
  bool changed = canceled || ses_key(self->session, key);
  serve(self);
  settle(self);
  return changed;
}

static bool explorer_page_tick(Page *page, double seconds) {
  ExplorerPage *self = (ExplorerPage *)page;
  bool changed = rerun_tick(&self->rerun, self->session, seconds);
  if (changed && !page->open) page->open = rerun_failure(&self->rerun);
  if (own_tick(&self->own, self->session, rerun_active(&self->rerun, self->session), seconds)) changed = true;
  if (ses_tick(self->session, seconds)) changed = true;
  settle(self);
  return changed;
}

static void explorer_page_free(Page *page) {
  ExplorerPage *self = (ExplorerPage *)page;
  rerun_fini(&self->rerun);
  own_fini(&self->own);
  ses_free(self->session);
  free(self);
}

static const PageClass explorer_class = {explorer_page_draw, explorer_page_key, explorer_page_tick, explorer_page_free};

// Where the command line asks to begin. A place that is not there is said, and the run is shown from its start.
static void begin(Session *session) {
  LsErr err = {0};
  const SesWish *wish = ses_taste.first;
  ses_taste.first = NULL;
  if (wish && session->steps && !ses_wish(session, wish, &err)) ses_complain(session, "%s", err.message);
}

Page *page_explorer_new(Session *session) {
  ExplorerPage *self = ls_alloc(sizeof *self);
  self->base.class = &explorer_class;
  self->session = session;
  session->patience = PAGE_PATIENCE;
  session->panels = panels;
  own_init(&self->own, session, &self->base);
  session->room = view_room;
  begin(session);
  return &self->base;
}
