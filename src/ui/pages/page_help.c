// page_help.c: the keys of a page that has no panel of its own for them.
#include <stdlib.h>
#include "base/mem.h"
#include "ui/views/frame.h"
#include "ui/pages/page.h"
#include "ui/panels/panel.h"

typedef struct HelpPage { Page base; unsigned contexts; int first; } HelpPage;

static void help_draw(Page *page, Canvas *canvas) {
  HelpPage *self = (HelpPage *)page;
  FrameTitle title = {.crumbs = {"lanescope", "help"}, .crumb_count = 2};
  static const FooterKey keys[] = {{"↑↓", "up down", "scroll"}, {"q", NULL, "back"}};
  frame_title(canvas, &title);
  panel_help_draw(canvas, (Rect){0, 1, canvas->cols, canvas->rows - 2}, self->contexts, self->first);
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
