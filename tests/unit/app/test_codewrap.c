// test_codewrap.c: lines of source in rows: nothing is lost, nothing is too wide, and where lines are cut.
#include "check.h"

#include "app/codewrap.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/text.h"

// Columns that a piece of a line takes, with tabs as the pane draws them.
static int columns_of_piece(const char *line, CodeRow row) {
  int column = 0;
  for (const char *p = line + row.begin; p < line + row.end;) {
    uint32_t code = ls_utf8_next(&p);
    column += code == '\t' ? CODE_TAB - column % CODE_TAB : ls_code_width(code);
  }
  return column;
}

// The pieces, put together, are the line but for blanks between them; each fits.
static int wrong_rows(const char *line, int width) {
  CodeRow rows[CODE_ROWS];
  int count = code_wrap(line, width, rows), wrong = 0;
  size_t at = 0;
  for (int i = 0; i < count; i++) {
    while (at < rows[i].begin && line[at] == ' ') at++;
    wrong += rows[i].begin != at || rows[i].end < rows[i].begin || rows[i].indent < 0;
    wrong += columns_of_piece(line, rows[i]) + rows[i].indent > width;
    at = rows[i].end;
  }
  while (line[at] == ' ') at++;
  return wrong + (line[at] != 0 && count < CODE_ROWS);
}

static void nothing_is_lost(void) {
  static const char alphabet[] = "abcdefgh0123   ,,;(){}+-*/=[]\t";
  LsMt random;
  ls_mt_seed(&random, 20);
  int wrong = 0;
  for (int i = 0; i < 4000; i++) {
    char line[160];
    int length = (int)(ls_mt_u32(&random) % (sizeof line - 1));
    for (int k = 0; k < length; k++) line[k] = alphabet[ls_mt_u32(&random) % (sizeof alphabet - 1)];
    line[length] = 0;
    wrong += wrong_rows(line, 12 + (int)(ls_mt_u32(&random) % 90));
  }
  CHECK_INT(wrong, 0);
}

static void piece(const char *line, const CodeRow *rows, int i, char out[64]) {
  snprintf(out, 64, "%.*s", (int)(rows[i].end - rows[i].begin), line + rows[i].begin);
}

static void cut_where_one_would(void) {
  static const char line[] = "    for (int k = blockDim.x / 2; k > 0; k /= 2) {";
  CodeRow rows[CODE_ROWS];
  char text[64];
  CHECK_INT(code_wrap(line, 60, rows), 1);
  CHECK_INT(code_wrap(line, 40, rows), 2);
  piece(line, rows, 0, text);
  CHECK_STR(text, "    for (int k = blockDim.x / 2; k > 0; ");
  piece(line, rows, 1, text);
  CHECK_STR(text, "k /= 2) {");
  CHECK_INT(rows[1].indent, 8);
  static const char comment[] = "  a[i] = b[i - 1] + c;   // the element before";
  CHECK_INT(code_wrap(comment, 30, rows), 2);
  piece(comment, rows, 1, text);
  CHECK_STR(text, "// the element before");
  CHECK_INT(code_wrap("", 40, rows), 1);
  CHECK_INT(code_wrap("x", 1, rows), 1);
}

// Where one word is longer than a row it is cut in its middle, and no character falls apart.
static void long_words(void) {
  static const char word[] = "äöüäöüäöüäöüäöüäöüäöüäöüäöüäöü";   // 30 characters of two bytes
  CodeRow rows[CODE_ROWS];
  int count = code_wrap(word, 12, rows);
  CHECK_INT(count, 4);
  for (int i = 0; i < count; i++) CHECK_INT(rows[i].begin % 2 + rows[i].end % 2, 0);
}

static void columns(void) {
  for (int width = 18; width <= 200; width++)
    for (int lines = 1; lines <= 1000000; lines *= 10) {
      CodeColumns c = code_columns(width, lines);
      CHECK(c.number_end <= c.mark && c.mark < c.text && c.text_w >= 1);
      CHECK(c.text + c.text_w + c.margin_w <= LS_MAX(width, c.text + 1));
    }
}

static const Check checks[] = {
    {"nothing is lost", nothing_is_lost},
    {"cut where one would", cut_where_one_would},
    {"words that are too long", long_words},
    {"columns of a pane", columns},
};

int main(int argc, char **argv) { return check_main("codewrap", checks, LS_COUNT(checks), argc, argv); }
