// page_explorer.c: the explorer as a page: a session, and the runs that it wants.
#include <stdlib.h>
#include "base/mem.h"
#include "ui/pages/page.h"
#include "ui/pages/rerun.h"
#include "ui/panels/panel.h"
#include "ui/views/view.h"

typedef struct ExplorerPage { Page base; Session *session; Rerun rerun; } ExplorerPage;

// Ticks are wanted while something goes on by itself: playing, a run, totals still being counted.
static void settle(ExplorerPage *self) {
  Session *session = self->session;
  const Scene *scene = session->steps ? ses_scene(session) : NULL;
  bool counting = scene && (!scene->so_far_known || scene->values_pending);
  self->base.ticking = ses_plays(session) || counting || ses_waves_wait(session) || ses_difference_waits(session) ||
      rerun_active(&self->rerun, session);
  if (session->want_quit) self->base.closed = true;
}

static void explorer_page_draw(Page *page, Canvas *canvas) {
  ExplorerPage *self = (ExplorerPage *)page;
  self->session->lowest = page->lowest;
  self->session->ascii = canvas->ascii;
  explorer_draw(self->session, canvas);
  rerun_draw(&self->rerun, canvas);
  settle(self);   // the scene knows now whether its totals are counted
}

static bool explorer_page_key(Page *page, AppKey key) {
  ExplorerPage *self = (ExplorerPage *)page;
  bool changed = (key.code == KEY_ESC_ && rerun_cancel(&self->rerun)) || ses_key(self->session, key);
  settle(self);
  return changed;
}

static bool explorer_page_tick(Page *page, double seconds) {
  ExplorerPage *self = (ExplorerPage *)page;
  bool changed = rerun_tick(&self->rerun, self->session, seconds);
  if (changed && !page->open) page->open = rerun_failure(&self->rerun);
  if (ses_tick(self->session, seconds)) changed = true;
  settle(self);
  return changed;
}

static void explorer_page_free(Page *page) {
  ExplorerPage *self = (ExplorerPage *)page;
  rerun_fini(&self->rerun);
  ses_free(self->session);
  free(self);
}

static const PageClass explorer_class = {explorer_page_draw, explorer_page_key, explorer_page_tick, explorer_page_free};

Page *page_explorer_new(Session *session) {
  ExplorerPage *self = ls_alloc(sizeof *self);
  self->base.class = &explorer_class;
  self->session = session;
  session->patience = PAGE_PATIENCE;
  session->panels = panels;
  session->room = view_room;
  return &self->base;
}
