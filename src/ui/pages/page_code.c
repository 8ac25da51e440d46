// page_code.c: source on a page of its own, in its colors, under a sentence about it.
#include <stdlib.h>

#include "base/mem.h"
#include "ui/pages/page.h"
#include "ui/pages/practice_draw.h"
#include "ui/views/frame.h"

typedef struct CodePage {
  Page base;
  char *title, *says, *source;
  int top, rows, all;              // first row shown, rows shown, rows in all; as last drawn
} CodePage;

enum { TOP = 2, LEFT = 2 };

static void code_draw(Page *page, Canvas *canvas) {
  CodePage *self = (CodePage *)page;
  Rect rect = {LEFT, TOP, canvas->cols - 2 * LEFT, canvas->rows - TOP - 2};
  FrameTitle title = {.crumbs = {"lanescope", "practice", self->title}, .crumb_count = 3};
  frame_title(canvas, &title);
  self->rows = rect.h;
  self->all = practice_draw_source(self->says, self->source, canvas, rect, self->top);
  static const FooterKey keys[] = {{"↑↓", "up down", "more"}, {"q", NULL, "back"}};
  bool scrolls = self->all > self->rows;
  frame_keys(canvas, scrolls ? keys : keys + 1, scrolls ? 2 : 1);
}

static void scroll(CodePage *self, int rows) {
  self->top = LS_CLAMP(self->top + rows, 0, LS_MAX(self->all - self->rows, 0));
}

static bool code_key(Page *page, AppKey key) {
  CodePage *self = (CodePage *)page;
  switch (key.code) {
    case KEYX_UP: case 'k': scroll(self, -1); return true;
    case KEYX_DOWN: case 'j': scroll(self, 1); return true;
    case KEYX_PGUP: scroll(self, -self->rows); return true;
    case KEYX_PGDN: case ' ': scroll(self, self->rows); return true;
    case KEYX_HOME: case 'g': self->top = 0; return true;
    case KEYX_END: case 'G': scroll(self, self->all); return true;
    case KEYX_MOUSE: return scroll(self, key.button == 4 ? -3 : key.button == 5 ? 3 : 0), key.button >= 4;
    case 'q': case KEY_ESC_: case KEY_RETURN_: page->closed = true; return true;
    default: return false;
  }
}

static void code_free(Page *page) {
  CodePage *self = (CodePage *)page;
  free(self->title);
  free(self->says);
  free(self->source);
  free(self);
}

static const PageClass code_class = {code_draw, code_key, NULL, code_free};

Page *page_code_new(const char *title, const char *says, const char *source) {
  CodePage *self = ls_alloc(sizeof *self);
  self->base.class = &code_class;
  self->title = ls_strdup(title);
  self->says = ls_strdup(says);
  self->source = ls_strdup(source);
  return &self->base;
}
