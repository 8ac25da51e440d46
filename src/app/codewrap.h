// codewrap.h: a line of source in the columns of a pane, and in rows where it is longer than they are.
#ifndef LS_APP_CODEWRAP_H
#define LS_APP_CODEWRAP_H

#include <stdbool.h>
#include <stddef.h>

//   16 ▸       ts[id] += ts[id + k];      16.0
//   number     text                       margin
// Columns from the left edge of the pane; text_w and margin_w are widths, margin_w 0: there is no room for a margin.
typedef struct CodeColumns { int number_end, mark, text, text_w, margin_w; } CodeColumns;
CodeColumns code_columns(int width, int lines);   // of a pane so wide, in a file with so many lines

enum { CODE_TAB = 4, CODE_ROWS = 8 };
// Bytes of the line, from begin to before end, and the columns that they are moved to the right.
typedef struct CodeRow { size_t begin, end; int indent; } CodeRow;
// A line in rows of so many columns, cut after blanks or punctuation where possible. At least one row; what CODE_ROWS
// rows do not hold is left out.
int code_wrap(const char *line, int width, CodeRow rows[CODE_ROWS]);

#endif
