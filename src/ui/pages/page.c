// page.c: a page on a canvas of any size.
#include "ui/pages/page.h"
#include <stdio.h>
#include "base/mem.h"

static void draw_too_small(Canvas *canvas) {
  char size[64];
  snprintf(size, sizeof size, "%d x %d; lanescope needs %d x %d", canvas->cols, canvas->rows, PAGE_MIN_COLS, PAGE_MIN_ROWS);
  const char *lines[] = {"This window is small.", size, "Enlarge it, or use --plain."};
  for (int i = 0; i < LS_COUNT(lines); i++) {
    int x = LS_MAX((canvas->cols - ls_utf8_width(lines[i])) / 2, 0);
    canvas_text_cut(canvas, x, (canvas->rows - LS_COUNT(lines)) / 2 + i, canvas->cols, i ? ROLE_DIM : ROLE_TEXT, 0, lines[i]);
  }
}

void page_draw(Page *page, Canvas *canvas) {
  canvas_clear(canvas);
  if (canvas->cols < PAGE_MIN_COLS || canvas->rows < PAGE_MIN_ROWS) draw_too_small(canvas);
  else page->class->draw(page, canvas);
}
