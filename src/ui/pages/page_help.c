// page_help.c: the keys of a page that has no panel of its own for them.
#include <stdlib.h>
#include "base/mem.h"
#include "ui/views/frame.h"
#include "ui/pages/page.h"
#include "ui/panels/panel.h"

typedef struct HelpPage {
  Page base;
  unsigned contexts;
  const FooterKey *own; int own_count;   // in place of what commands.def has for the contexts; NULL
  int first;
} HelpPage;

enum { TOP = 2, LEFT = 2, KEYS_W = 12, ASCII_KEYS_W = 16 };

static Rect own_words(const Canvas *canvas, int y, int h) {
  int x = LEFT + (canvas->ascii ? ASCII_KEYS_W : KEYS_W);
  return (Rect){x, y, canvas->cols - x - LEFT, h};
}

static int own_rows(const Canvas *canvas, const FooterKey *key) {
  return LS_MAX(canvas_text_wrap(NULL, own_words(canvas, 0, 0), 0, ROLE_TEXT, 0, key->word), 1);
}

// Each with its words beside it, from the row `first` on.
static void draw_own(HelpPage *self, Canvas *canvas) {
  int all = 0, bottom = canvas->rows - 2;
  for (int i = 0; i < self->own_count; i++) all += own_rows(canvas, &self->own[i]);
  self->first = LS_CLAMP(self->first, 0, LS_MAX(all - (bottom - TOP), 0));
  for (int i = 0, y = TOP - self->first; i < self->own_count; y += own_rows(canvas, &self->own[i++])) {
    const FooterKey *key = &self->own[i];
    const char *keys = canvas->ascii && key->ascii_keys ? key->ascii_keys : key->keys;
    int skip = LS_MAX(TOP - y, 0);
    if (y >= bottom) break;
    if (!skip) canvas_text(canvas, LEFT, y, ROLE_CURSOR, 0, keys);
    canvas_text_wrap(canvas, own_words(canvas, y + skip, bottom - y - skip), skip, ROLE_TEXT, 0, key->word);
  }
}

static void help_draw(Page *page, Canvas *canvas) {
  HelpPage *self = (HelpPage *)page;
  FrameTitle title = {.crumbs = {"lanescope", "help"}, .crumb_count = 2};
  static const FooterKey keys[] = {{"↑↓", "up down", "scroll"}, {"q", NULL, "back"}};
  frame_title(canvas, &title);
  if (self->own) draw_own(self, canvas);
  else panel_help_draw(canvas, (Rect){0, 1, canvas->cols, canvas->rows - 2}, self->contexts, self->first);
  frame_keys(canvas, keys, LS_COUNT(keys));
}

static bool help_key(Page *page, AppKey key) {
  HelpPage *self = (HelpPage *)page;
  if (key.code == KEYX_MOUSE) return false;
  switch (command_for_key(key.code, CTX_M)) {
    case CMD_UP: self->first = LS_MAX(self->first - 1, 0); break;
    case CMD_DOWN: self->first = LS_MIN(self->first + 1, CMD_COUNT); break;
    default: page->closed = true; break;
  }
  return true;
}

static void help_free(Page *page) { free(page); }

static const PageClass help_class = {help_draw, help_key, NULL, help_free};

Page *page_help_new(unsigned contexts) {
  HelpPage *self = ls_alloc(sizeof *self);
  self->base.class = &help_class;
  self->contexts = contexts;
  return &self->base;
}

Page *page_keys_new(const FooterKey *keys, int count) {
  HelpPage *self = (HelpPage *)page_help_new(0);
  self->own = keys;
  self->own_count = count;
  return &self->base;
}
