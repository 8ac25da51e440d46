// page_message.c: a text on its own, for errors and for what must be read before going on.
#include <stdlib.h>
#include "base/mem.h"
#include "ui/views/frame.h"
#include "ui/pages/page.h"

typedef struct MessagePage {
  Page base;
  char *title, *text, *place;   // place: FILE:LINE:COL of an error, or NULL
  bool is_error;
  int scroll, rows, height;     // rows of the wrapped text and of the window, as last drawn
} MessagePage;

enum { LEFT = 4, TOP = 2, MAX_WIDTH = 96 };

static const FooterKey keys[] = {{"↑↓", "up down", "scroll"}, {"⏎", "enter", "back"}};

static void message_draw(Page *page, Canvas *canvas) {
  MessagePage *self = (MessagePage *)page;
  FrameTitle title = {.crumbs = {"lanescope", self->title}, .crumb_count = 2};
  frame_title(canvas, &title);
  int y = TOP, width = LS_MIN(canvas->cols - 2 * LEFT, MAX_WIDTH);
  if (self->is_error) canvas_text(canvas, LEFT - 2, y, ROLE_ALARM, STYLE_BOLD, "▲");
  if (self->place) {
    canvas_text_cut(canvas, LEFT, y, width, ROLE_DIM, 0, self->place);
    y += 2;
  }
  self->height = canvas->rows - 2 - y;
  Rect rect = {LEFT, y, width, self->height};
  self->rows = canvas_text_wrap(canvas, rect, self->scroll, ROLE_TEXT, 0, self->text);
  canvas->cursor_x = LEFT;
  canvas->cursor_y = y;
  bool scrolls = self->rows > self->height;
  frame_keys(canvas, scrolls ? keys : keys + 1, scrolls ? 2 : 1);
}

static bool message_key(Page *page, AppKey key) {
  MessagePage *self = (MessagePage *)page;
  int move = 0;
  switch (command_for_key(key.code, CTX_M)) {
    case CMD_UP: move = -1; break;
    case CMD_DOWN: move = 1; break;
    case CMD_PAGE_UP: move = -self->height; break;
    case CMD_PAGE_DOWN: move = self->height; break;
    default: break;
  }
  if (key.code == KEYX_MOUSE) move = key.button == 4 ? -1 : key.button == 5 ? 1 : 0;
  else if (!move) page->closed = true;
  self->scroll = LS_CLAMP(self->scroll + move, 0, LS_MAX(self->rows - self->height, 0));
  return true;
}

static void message_free(Page *page) {
  MessagePage *self = (MessagePage *)page;
  free(self->title);
  free(self->text);
  free(self->place);
  free(self);
}

static const PageClass message_class = {message_draw, message_key, NULL, message_free};

Page *page_message_new(const char *title, const char *text) {
  MessagePage *self = ls_alloc(sizeof *self);
  self->base.class = &message_class;
  self->title = ls_strdup(title);
  self->text = ls_strdup(text);
  return &self->base;
}

Page *page_error_new(const LsErr *err) {
  Page *page = page_message_new("error", err->message);
  MessagePage *self = (MessagePage *)page;
  self->is_error = true;
  if (err->file[0] && err->line) self->place = ls_format("%s, line %d", err->file, err->line);
  else if (err->file[0]) self->place = ls_strdup(err->file);
  return page;
}
