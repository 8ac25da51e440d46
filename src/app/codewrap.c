// codewrap.c: a line of source in the columns of a pane, and in rows where it is longer than they are.
#include <string.h>

#include "app/codewrap.h"
#include "base/mem.h"
#include "base/text.h"

enum { NUMBER_W = 3, MARK_X = 4, TEXT_X = 6, MARGIN_W = 8, ROOMY = 48 };   // numbers are wider in a file with more
                                                                           // lines
// Where there is little room, every column goes to the text.
enum { TIGHT_MARK_X = 3, TIGHT_TEXT_X = 5, TIGHT_MARGIN_W = 6, LEAST_TEXT = 24 };
enum { HANGING = 4 };   // columns that what follows is further in

CodeColumns code_columns(int width, int lines) {
  int more = 0;
  for (int n = lines / 1000; n > 0; n /= 10) more++;
  CodeColumns c = {NUMBER_W + more, MARK_X + more, TEXT_X + more, 0, MARGIN_W};
  if (width < ROOMY) {
    bool margin = width >= TIGHT_TEXT_X + more + LEAST_TEXT + TIGHT_MARGIN_W;
    c = (CodeColumns){NUMBER_W + more, TIGHT_MARK_X + more, TIGHT_TEXT_X + more, 0, margin ? TIGHT_MARGIN_W : 0};
  }
  c.text_w = LS_MAX(width - c.text - LS_MAX(c.margin_w, 1), 1);
  return c;
}

static int leading_columns(const char *line) {
  int column = 0;
  for (; *line == ' ' || *line == '\t'; line++) column += *line == '\t' ? CODE_TAB - column % CODE_TAB : 1;
  return column;
}

// A row may end behind a blank or punctuation, and not inside of "//", "+=", "&&".
static bool may_end(uint32_t code, char next) {
  if (code == ' ' || code == ',' || code == ';' || code == '(' || code == '{') return true;
  return code < 128 && code && strchr("+-*/&|=?:<>", (int)code) && !(next && strchr("+-*/&|=:<>", next));
}

// Where the row that begins at `begin` ends: all that fits, or up to after the last blank or punctuation in its second
// half.
static size_t row_end(const char *line, size_t begin, int width) {
  const char *p = line + begin;
  size_t nice = 0;
  for (int column = 0; *p;) {
    const char *next = p;
    uint32_t code = ls_utf8_next(&next);
    column += code == '\t' ? CODE_TAB - column % CODE_TAB : ls_code_width(code);
    if (column > width) return nice ? nice : p > line + begin ? (size_t)(p - line) : (size_t)(next - line);
    // The mark of a comment stays with its words.
    bool comment = p > line && p[-1] == '/' && (code == '/' || (p - line >= 2 && p[-2] == '/'));
    if (column >= width / 2 && !comment && may_end(code, *next)) nice = (size_t)(next - line);
    p = next;
  }
  return (size_t)(p - line);
}

int code_wrap(const char *line, int width, CodeRow rows[CODE_ROWS]) {
  int hanging = LS_MIN(leading_columns(line) + HANGING, width / 3), count = 0;
  size_t at = 0;
  do {
    int indent = count ? hanging : 0;
    size_t end = row_end(line, at, LS_MAX(width - indent, 1));
    rows[count++] = (CodeRow){at, end, indent};
    at = end;
    while (line[at] == ' ') at++;
  } while (line[at] && count < CODE_ROWS);
  return count;
}
