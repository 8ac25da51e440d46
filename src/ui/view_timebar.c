// view_timebar.c: the whole run in one row: how much happened, what stood out, where the cursor is.
#include <stdlib.h>
#include "base/mem.h"
#include "ui/view.h"

static void draw_column(Canvas *canvas, int x, int y, const SesBar *bar, bool played) {
  if (bar->mark == '!') canvas_put(canvas, x, y, 0x25b2, ROLE_ALARM, 0);
  else if (bar->mark == 'd') canvas_put(canvas, x, y, 0x25b4, ROLE_SET3, 0);
  else canvas_put(canvas, x, y, 0x2581u + LS_MIN(bar->height, 7), played ? ROLE_DIM : ROLE_GONE, 0);
}

// What the marks mean, dim below them: only those that are there.
static void draw_legend(Canvas *canvas, int x, int y, const SesBar *bar, int columns) {
  bool faults = false, divergence = false;
  for (int i = 0; i < columns; i++) {
    faults = faults || bar[i].mark == '!';
    divergence = divergence || bar[i].mark == 'd';
  }
  if (divergence) {
    canvas_put(canvas, x, y, 0x25b4, ROLE_SET3, 0);
    x = canvas_text(canvas, x + 2, y, ROLE_DIM, 0, "divergent branch") + 3;
  }
  if (!faults) return;
  canvas_put(canvas, x, y, 0x25b2, ROLE_ALARM, 0);
  canvas_text(canvas, x + 2, y, ROLE_DIM, 0, "fault");
}

void view_draw_timebar(Session *session, Canvas *canvas, Rect rect) {
  int columns = rect.w - 2, cursor = 0, y = rect.y;
  if (columns < 1) return;
  SesBar *bar = ls_alloc(sizeof *bar * (size_t)columns);
  ses_time_bar(session, columns, bar, &cursor);
  for (int i = 0; i < columns; i++) draw_column(canvas, rect.x + 1 + i, y, &bar[i], i <= cursor);
  canvas_put(canvas, rect.x + 1 + LS_CLAMP(cursor, 0, columns - 1), y, 0x25cf, ROLE_CURSOR, STYLE_BOLD);
  if (rect.h > 1) draw_legend(canvas, rect.x + 1, y + 1, bar, columns);
  free(bar);
}
