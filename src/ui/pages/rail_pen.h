// rail_pen.h: where the next word of a lesson's text goes.
#ifndef LS_UI_RAIL_PEN_H
#define LS_UI_RAIL_PEN_H

#include "ui/term/canvas.h"

// Rows are counted from the top of the text, whether they are shown or not.
typedef struct Pen {
  Canvas *canvas;
  Rect rect;
  int skip, row, col, indent;
  bool low;                  // rows are few
  bool fresh;                // nothing stands on this row yet
  bool gap;                  // the row above is empty
  int mark_row;              // where a choice stands; -1: nothing is chosen
  bool exact;                // a line that stands alone: its blanks are kept, so that tables stay in columns
} Pen;

void pen_end(Pen *pen);                  // of a paragraph: what follows begins on a row of its own
void pen_blank(Pen *pen);                // an empty row before what follows
// One word (no blanks inside), wrapped as a whole; longer than a row, it is cut there.
void pen_word(Pen *pen, const char *word, int length, int space_before, Role role, int style);
// One character in a column of the row; the row is ended by pen_end.
void pen_cell(Pen *pen, int column, uint32_t code, Role role, int style);
// Words of one style: 0 plain, 1 `code`, 2 *emphasis*. *space: blanks before the next one.
void pen_span(Pen *pen, const char *start, int length, int style, Role role, int *space);
// Marked-up text. Lines of a paragraph flow together, an empty one parts paragraphs, "- " and blanks stand alone.
void pen_text(Pen *pen, const char *text, Role role);
// One line of such a text.
void pen_line(Pen *pen, const char *line, size_t length, Role role);
void pen_labeled(Pen *pen, const char *label, Role label_role, const char *text, Role role);

#endif
