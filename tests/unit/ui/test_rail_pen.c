// test_rail_pen.c: the text of a lesson, word by word, in rows of every width.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "ui/pages/rail_pen.h"

enum { ROWS = 40 };

// The rows of a text in so many columns, as one text.
static char *rows_of(const char *marked, int columns) {
  Canvas *canvas = canvas_new(columns, ROWS);
  Pen pen = {.canvas = canvas, .rect = {0, 0, columns, ROWS}, .fresh = true, .mark_row = -1};
  LsText text = {0};
  pen_text(&pen, marked, ROLE_TEXT);
  canvas_to_text(canvas, false, &text);
  char *rows = ls_strdup(ls_text_str(&text));
  ls_text_free(&text);
  canvas_free(canvas);
  return rows;
}

// Points and brackets stay with what they belong to: no row begins or ends with one of them alone.
static void points_stay_with_their_words(void) {
  static const char marked[] = "In it stands `int x;`. That is (`y[i]`), or *shared memory*: a table, `a`, `b`.";
  static const char *const torn[] = {"\n.", "\n,", "\n:", "\n)", "(\n"};
  enum { LONGEST = 10 };   // columns of "(`y[i]`)," and of all other words
  for (int columns = LONGEST; columns < 90; columns++) {
    char *rows = rows_of(marked, columns);
    for (int i = 0; i < LS_COUNT(torn); i++) {
      if (strstr(rows, torn[i])) printf("\n%d columns:\n%s", columns, rows);
      CHECK(!strstr(rows, torn[i]));
    }
    free(rows);
  }
}

static void lines_alone_stay_as_they_are(void) {
  char *rows = rows_of("One\ntwo\n\n    m  1\n   `k`  2\n", 20);
  CHECK(strstr(rows, "One two\n\n    m  1\n   k  2\n") != NULL);
  free(rows);
}

static const Check checks[] = {
    {"points stay with their words", points_stay_with_their_words},
    {"lines alone stay as they are", lines_alone_stay_as_they_are},
};

int main(int argc, char **argv) { return check_main("rail pen", checks, LS_COUNT(checks), argc, argv); }
