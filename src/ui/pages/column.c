// column.c: paragraphs and labeled words of the chosen row of a list.
#include "ui/pages/column.h"

#include "base/mem.h"

Rect column_below(Rect rect, int rows) {
  rows = LS_MIN(rows, rect.h);
  return (Rect){rect.x, rect.y + rows, rect.w, rect.h - rows};
}

Rect column_paragraph(Canvas *canvas, Rect rect, Role role, int style, const char *words) {
  if (!words || !*words || rect.h < 1) return rect;
  return column_below(rect, canvas_text_wrap(canvas, rect, 0, role, style, words) + 1);
}

Rect column_labeled(Canvas *canvas, Rect rect, int label_w, const char *label, Role role, const char *words) {
  if (!words || !*words || rect.h < 1) return rect;
  canvas_text(canvas, rect.x, rect.y, ROLE_DIM, 0, label);
  Rect beside = {rect.x + label_w, rect.y, rect.w - label_w, rect.h};
  return column_below(rect, LS_MAX(canvas_text_wrap(canvas, beside, 0, role, 0, words), 1));
}
