// view_ptx.c: the instructions beside the source.
#include <stdio.h>
#include "base/mem.h"
#include "ui/views/view.h"

enum { MARK_X = 5, TEXT_X = 7 };

void view_draw_ptx(Session *session, Canvas *canvas, Rect rect) {
  Rect body = view_rule(canvas, rect, "PTX", NULL);
  int count = ses_ptx_rows(session), top = ses_ptx_top(session, body.h);
  for (int i = LS_MAX(top, 0); i < count && i < top + body.h; i++) {
    int pc = 0, y = body.y + i - top;
    bool here = false;
    const char *text = ses_ptx_row(session, i, &pc, &here);
    char number[16];
    snprintf(number, sizeof number, "%d", pc);
    if (here) canvas_background(canvas, (Rect){body.x, y, body.w, 1}, ROLE_SELECTED);
    canvas_text_right(canvas, body.x + 4, y, here ? ROLE_CURSOR : ROLE_DIM, here ? STYLE_BOLD : 0, number);
    if (here) canvas_put(canvas, body.x + MARK_X, y, 0x25b8, ROLE_CURSOR, 0);
    canvas_text_cut(canvas, body.x + TEXT_X, y, body.w - TEXT_X - 1, here ? ROLE_TEXT : ROLE_DIM, 0, text ? text : "");
  }
}
