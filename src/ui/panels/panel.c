// panel.c: what panels share: typing, and the chosen row.
#include "ui/panels/panel.h"
#include <string.h>

bool panel_printable(uint32_t code) { return code >= ' ' && code != 127 && code < KEYX_UP; }

void panel_type(Session *session, uint32_t code) {
  char utf8[5];
  int bytes = ls_utf8_encode(code, utf8);
  size_t length = strlen(session->input);
  if (length + (size_t)bytes < sizeof session->input) memcpy(session->input + length, utf8, (size_t)bytes + 1);
}

void panel_untype(Session *session) {
  size_t length = strlen(session->input);
  while (length > 0 && ((unsigned char)session->input[length - 1] & 0xc0) == 0x80) length--;
  session->input[length > 0 ? length - 1 : 0] = 0;
}

void panel_draw_chosen(Canvas *canvas, Rect body, int y) {
  canvas_background(canvas, (Rect){body.x, y, body.w, 1}, ROLE_SELECTED);
  canvas_put(canvas, body.x + 2, y, 0x25b8, ROLE_CURSOR, 0);
  canvas->cursor_x = body.x + 2;
  canvas->cursor_y = y;
}
