// page_notes.c: the speaker's second terminal: the note, the clock, the votes, what comes next.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/stage/uplink.h"
#include "app/stage/notes.h"
#include "base/clock.h"
#include "base/mem.h"
#include "ui/pages/notes_page.h"
#include "ui/pages/page.h"

enum { LOOKS_MS = 250 };

typedef struct NotesPage {
  Page base;
  Uplink *uplink;
  Notes notes; bool known;     // what was told last
  int skip;                    // rows of the note that are scrolled away
} NotesPage;

static void settle(NotesPage *self) {
  self->base.watch_fd = uplink_fd(self->uplink);
  self->base.period_ms = LOOKS_MS;
}

static bool page_tick_notes(Page *page, double seconds) {
  NotesPage *self = (NotesPage *)page;
  (void)seconds;
  uplink_turn(self->uplink);
  for (char *line; (line = uplink_next(self->uplink));) {
    int64_t beat = self->notes.beat_began;
    if (notes_read(&self->notes, line)) self->known = true;
    if (self->notes.beat_began != beat) self->skip = 0;
  }
  settle(self);
  return true;                                   // the clock goes on
}

static bool page_key_notes(Page *page, AppKey key) {
  NotesPage *self = (NotesPage *)page;
  switch (key.code) {
    case 'q': case KEY_ESC_: page->closed = true; break;
    case KEYX_DOWN: case 'j': self->skip++; break;
    case KEYX_UP: case 'k': self->skip = LS_MAX(self->skip - 1, 0); break;
    default: return false;
  }
  return true;
}

static void page_draw_notes(Page *page, Canvas *canvas) {
  NotesPage *self = (NotesPage *)page;
  NotesView view = {self->known ? &self->notes : NULL, uplink_is_up(self->uplink), (int64_t)ls_clock_ms(), self->skip};
  self->skip = notes_draw(&view, canvas);
}

static void page_free_notes(Page *page) {
  NotesPage *self = (NotesPage *)page;
  uplink_free(self->uplink);
  free(self);
}

static const PageClass notes_class = {page_draw_notes, page_key_notes, page_tick_notes, page_free_notes};

Page *page_notes_new(Uplink *uplink) {
  NotesPage *self = ls_alloc(sizeof *self);
  self->base.class = &notes_class;
  self->base.stages = true;
  self->uplink = uplink;
  page_tick_notes(&self->base, 0);
  return &self->base;
}
