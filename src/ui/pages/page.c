// page.c: a page on a canvas of any size.
#include "ui/pages/page.h"
#include "ui/views/frame.h"

static int least_rows(const Page *page, const Canvas *canvas) {
  return canvas->stage || page->stages ? PAGE_STAGE_ROWS : PAGE_MIN_ROWS;
}

void page_draw(Page *page, Canvas *canvas) {
  canvas_clear(canvas);
  if (canvas->cols < PAGE_MIN_COLS || canvas->rows < least_rows(page, canvas))
    frame_too_small(canvas, PAGE_MIN_COLS, least_rows(page, canvas));
  else page->class->draw(page, canvas);
}
