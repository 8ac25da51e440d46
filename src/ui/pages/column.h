// column.h: what a page says of the chosen row of its list: paragraphs and labeled words, one below the other.
//
// Each draws at the top of the rectangle and returns what is left of it.
#ifndef LS_UI_PAGES_COLUMN_H
#define LS_UI_PAGES_COLUMN_H

#include "ui/term/canvas.h"

Rect column_below(Rect rect, int rows);
// With a blank row behind it. Nothing, if there are no words.
Rect column_paragraph(Canvas *canvas, Rect rect, Role role, int style, const char *words);
// "lesson    L12": the words begin label_w columns behind the label. words NULL or "": nothing.
Rect column_labeled(Canvas *canvas, Rect rect, int label_w, const char *label, Role role, const char *words);

#endif
