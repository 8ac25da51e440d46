// stretch.c: draws a picture aside, and brings it over row by row, tall ones several times.
#include "ui/views/stretch.h"

#include "base/mem.h"
#include "ui/views/view.h"

enum { LEAST_TALL = 4, COLS_A_ROW = 12 };   // cells are at most so tall, and taller in a wide window
enum { FULL = 0x2588 };

static bool is_blank(const Cell *cell) { return cell->code == ' ' && !cell->background; }

// What goes through a cell from its top to its bottom, and so through all rows that a tall one becomes.
static bool goes_through(uint32_t code) { return (code >= 0x2588 && code <= 0x2593) || code == 0x2502; }

static int used_rows(const Canvas *canvas) {
  for (int y = canvas->rows - 1; y >= 0; y--)
    for (int x = 0; x < canvas->cols; x++)
      if (!is_blank(&canvas->cells[y * canvas->cols + x])) return y + 1;
  return 0;
}

static int tall_rows(const Canvas *canvas, int rows) {
  int count = 0;
  for (int y = 0; y < rows; y++) count += canvas_is_tall(canvas, y);
  return count;
}

// A row of the canvas that was drawn aside; through: only what goes through, since the words stand in another row.
static void bring_row(const Canvas *aside, int from, Canvas *canvas, int x, int y, bool through) {
  for (int i = 0; i < aside->cols; i++) {
    Cell cell = aside->cells[from * aside->cols + i];
    if (through && !goes_through(cell.code)) cell.code = ' ', cell.style = 0;
    bool solid = cell.code == FULL && !cell.background && !aside->ascii;
    if (solid) cell.code = ' ', cell.background = cell.role;   // a ground has no seams, whatever the font
    bool inside = x + i < canvas->cols && y < canvas->rows;
    if (inside) canvas->cells[y * canvas->cols + x + i] = cell;
  }
}

void stretch_picture(FocusKind kind, Session *session, Canvas *canvas, Rect rect) {
  if (rect.w < 1 || rect.h < 1) return;
  Canvas *aside = canvas_new(rect.w, rect.h);
  aside->stage = canvas->stage;
  aside->ascii = canvas->ascii;
  view_picture_alone(kind, session, aside, (Rect){0, 0, rect.w, rect.h});
  int rows = used_rows(aside), tall = tall_rows(aside, rows), most = LS_MAX(LEAST_TALL, rect.w / COLS_A_ROW);
  int height = tall ? LS_CLAMP(1 + (rect.h - rows) / tall, 1, most) : 1;
  int y = rect.y + 1 + LS_MAX(rect.h - rows - tall * (height - 1), 0) / 2;
  bring_row(aside, 0, canvas, rect.x, rect.y, false);   // the rule stays at the top
  for (int from = 1; from < rows; from++) {
    int copies = canvas_is_tall(aside, from) ? height : 1, words = (copies - 1) / 2;
    for (int copy = 0; copy < copies; copy++, y++) bring_row(aside, from, canvas, rect.x, y, copy != words);
  }
  canvas_free(aside);
}
