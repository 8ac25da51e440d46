// draw_fragment.c: A, B and C as grids of lane numbers, side by side where there is room, the chosen lane marked.
#include <stdio.h>

#include "app/models/fragment.h"
#include "base/mem.h"
#include "ui/models/pictures.h"

enum { TIGHT = 2, CELL_W = 3, GAP = 3, QUAD = 4, HEADING = 1, WIDE = 4, LANE_TEXT = 8, TITLE_W = 22, LEAST_ROWS = 16 };

// Lanes of a quad share a role, neighbors differ. Where numbers touch, each lane differs from the next one.
static Role role_of(int lane, int cell) { return picture_set(cell > TIGHT ? lane / QUAD % 3 : lane % 3); }

static int width_of(const MatrixFragment *f, int cell) { return f->cols * cell; }

static void draw_title(const FragmentModel *m, int role, Canvas *canvas, int x, int y, int width) {
  static const char letters[] = "ABC";
  char text[64];
  const MatrixFragment *f = &m->of[role];
  int length = snprintf(text, sizeof text, "%c  %d x %d, %d a lane", letters[role], f->rows, f->cols, f->per_lane);
  if (length > width) length = snprintf(text, sizeof text, "%c  %d x %d", letters[role], f->rows, f->cols);
  if (length > width) snprintf(text, sizeof text, "%c", letters[role]);
  canvas_text_cut(canvas, x, y, width, ROLE_TEXT, STYLE_BOLD, text);
}

// rows: of the grid that are shown; what is left out is counted.
static void draw_matrix(const FragmentModel *m, int role, Canvas *canvas, Rect rect, int cell) {
  const MatrixFragment *f = &m->of[role];
  int room = rect.h - HEADING, rows = f->rows <= room ? f->rows : LS_MAX(room - 1, 0);
  int cols = LS_MIN(f->cols, rect.w / cell);
  draw_title(m, role, canvas, rect.x, rect.y, rect.w);
  if (cols < f->cols)
    canvas_textf(canvas, rect.x + TITLE_W, rect.y, ROLE_DIM, 0, "▸ %d more columns", f->cols - cols);
  for (int row = 0; row < rows; row++)
    for (int col = 0; col < cols; col++) {
      int lane = m->owner[role][row * f->cols + col], x = rect.x + col * cell, y = rect.y + HEADING + row;
      bool here = lane == m->lane;
      char text[LANE_TEXT];
      snprintf(text, sizeof text, "%2d", lane);
      canvas_text(canvas, x, y, here ? ROLE_CURSOR : role_of(lane, cell), here ? STYLE_BOLD | STYLE_REVERSE : 0, text);
    }
  if (rows < f->rows) canvas_textf(canvas, rect.x, rect.y + HEADING + rows, ROLE_DIM, 0, "▾ %d more rows",
                                   f->rows - rows);
}

static int width_of_all(const FragmentModel *m, int cell) {
  int width = -GAP;
  for (int role = 0; role < FRAGMENT_MATRICES; role++) width += width_of(&m->of[role], cell) + GAP;
  return width;
}

// Of what is to be shown.
static int shown_width(const FragmentModel *m, int cell) {
  return m->only < 0 ? width_of_all(m, cell) : width_of(&m->of[m->only], cell);
}

static int most_rows(const FragmentModel *m) {
  return LS_MAX(m->of[MATRIX_A].rows, m->of[MATRIX_B].rows);
}

// B stands above C, and A at the left of C, as a product is written; where that needs too many rows side by side.
static bool fits_as_product(const FragmentModel *m, Rect rect, int cell) {
  if (m->in_quads) return false;   // B is four times as wide as C
  int height = m->of[MATRIX_B].rows + m->of[MATRIX_C].rows + 2 * HEADING + 1;
  return rect.h >= height && rect.w >= width_of(&m->of[MATRIX_A], cell) + GAP + width_of(&m->of[MATRIX_C], cell);
}

static void draw_as_product(const FragmentModel *m, Canvas *canvas, Rect rect, int cell) {
  const MatrixFragment *a = &m->of[MATRIX_A], *b = &m->of[MATRIX_B], *c = &m->of[MATRIX_C];
  int left = width_of(a, cell) + GAP, top = b->rows + HEADING + 1;
  draw_matrix(m, MATRIX_B, canvas, (Rect){rect.x + left, rect.y, width_of(b, cell), b->rows + HEADING}, cell);
  draw_matrix(m, MATRIX_A, canvas, (Rect){rect.x, rect.y + top, width_of(a, cell), a->rows + HEADING}, cell);
  draw_matrix(m, MATRIX_C, canvas, (Rect){rect.x + left, rect.y + top, width_of(c, cell), c->rows + HEADING}, cell);
}

// Where not all fit, the widest one is drawn without blanks; if that is not enough, all are.
static int cell_beside(const FragmentModel *m, MatrixRole role, int width, int cell) {
  if (m->only >= 0 || width_of_all(m, cell) <= width) return cell;
  MatrixRole widest = m->of[MATRIX_A].cols >= m->of[MATRIX_B].cols ? MATRIX_A : MATRIX_B;
  int saved = m->of[widest].cols * (cell - TIGHT);
  return role == widest || width_of_all(m, cell) - saved > width ? TIGHT : cell;
}

// Side by side as many as fit; of the others it is said how many columns they need.
static void draw_beside(const FragmentModel *m, Canvas *canvas, Rect rect, int cell) {
  static const MatrixRole order[] = {MATRIX_C, MATRIX_A, MATRIX_B};
  int x = rect.x, end = rect.x + rect.w, drawn = 0, said = rect.x;
  for (int i = 0; i < FRAGMENT_MATRICES; i++) {
    int own = cell_beside(m, order[i], rect.w, cell), width = width_of(&m->of[order[i]], own);
    if (m->only >= 0 && order[i] != (MatrixRole)m->only) continue;
    if (width > end - x && drawn) {
      char text[64];
      snprintf(text, sizeof text, "▸ all: %d columns", width_of_all(m, cell) + 2);
      canvas_text_right(canvas, end, rect.y, ROLE_DIM, 0, end - said > ls_utf8_width(text) + 1 ? text : "▸");
      return;
    }
    draw_matrix(m, (int)order[i], canvas, (Rect){x, rect.y, LS_MIN(width, end - x), rect.h}, own);
    said = x + TITLE_W;
    x += width + GAP;
    drawn++;
  }
}

PictureRoom model_room_fragment(const ModelValues *values, int cols) {
  FragmentModel m;
  (void)cols;
  fragment_model(values, &m);
  int whole = m.of[MATRIX_B].rows + m.of[MATRIX_C].rows + 2 * HEADING + 1;
  int least = LS_MIN(most_rows(&m), m.of[MATRIX_C].rows);
  return (PictureRoom){LS_MIN(least, LEAST_ROWS) + HEADING, whole};
}

void model_draw_fragment(const ModelValues *values, Canvas *canvas, Rect rect) {
  FragmentModel m;
  fragment_model(values, &m);
  if (m.only < 0 && fits_as_product(&m, rect, CELL_W)) draw_as_product(&m, canvas, rect, fits_as_product(&m, rect,
                                                                                           WIDE) ? WIDE : CELL_W);
  else draw_beside(&m, canvas, rect, shown_width(&m, WIDE) <= rect.w ? WIDE : shown_width(&m, CELL_W) <= rect.w ||
                   m.only < 0 ? CELL_W : TIGHT);
}
