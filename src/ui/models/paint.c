// paint.c: what the pictures of models are painted with: pieces of bars, titles, roles that can be told apart.
#include "base/mem.h"
#include "ui/models/pictures.h"

void picture_piece(Canvas *canvas, Rect bar, double from, double to, double whole, uint32_t code, Role role) {
  if (whole <= 0) return;
  int first = (int)(LS_CLAMP(from / whole, 0.0, 1.0) * bar.w + 0.5), end = (int)(LS_CLAMP(to / whole, 0.0,
                                                                                          1.0) * bar.w + 0.5);
  canvas_fill(canvas, (Rect){bar.x + first, bar.y, end - first, bar.h}, code, role, 0);
}

void picture_bar(Canvas *canvas, Rect bar, uint32_t code, Role role) {
  enum { UPPER_HALF = 0x2580 };
  int whole = LS_MAX(bar.h - 1, 1);
  canvas_fill(canvas, (Rect){bar.x, bar.y, bar.w, whole}, code, role, 0);
  if (whole < bar.h) canvas_fill(canvas, (Rect){bar.x, bar.y + whole, bar.w, 1}, UPPER_HALF, role, 0);
}

void picture_title(Canvas *canvas, Rect row, const char *title, const char *right) {
  int width = canvas_text_cut(canvas, row.x, row.y, row.w, ROLE_DIM, 0, title);
  if (right && row.w - width - 2 >= ls_utf8_width(right)) canvas_text(canvas, row.x + width + 2, row.y, ROLE_TEXT, 0,
                                                                      right);
}

void picture_column(Canvas *canvas, Rect column, double share, Role role) {
  int eighths = (int)(LS_CLAMP(share, 0.0, 1.0) * column.h * 8 + 0.5);
  for (int i = 0; i < column.h; i++) {
    int filled = LS_CLAMP(eighths - 8 * i, 0, 8), y = column.y + column.h - 1 - i;
    for (int x = 0; filled && x < column.w; x++)
      canvas_put(canvas, column.x + x, y, (uint32_t)(0x2580 + filled), role, 0);
  }
}

Role picture_set(int index) {
  static const Role roles[] = {ROLE_SET0, ROLE_SET1, ROLE_SET2, ROLE_SET3, ROLE_SET4, ROLE_SET5};
  return roles[(unsigned)index % LS_COUNT(roles)];
}

uint32_t picture_shade(int index) { return index % 2 ? 0x2593 : 0x2588; }
