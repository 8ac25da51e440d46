// draw_ids.c: blocks beside and below one another, each a field of threads in the colors of their warps.
#include <stdio.h>

#include "app/models/ids.h"
#include "base/mem.h"
#include "ui/models/pictures.h"

enum { HEAD_H = 1, LABEL_H = 1, GAP = 2, CELL_MOST = 5, TEXT_CELL = 3, LEAST_ROWS = 5, LABEL_W = 6, TALL = 2 };

// How blocks are laid out: columns of a thread, and how many blocks, and lines of each, are shown.
typedef struct Field { int cell_w, cell_h, across, down, rows; } Field;

static Field plan(const IdsModel *m, Rect rect) {
  Field f = {.across = m->grid_x, .down = m->grid_y};
  while (f.across > 1 && f.across * (LS_MAX(m->size_x, LABEL_W) + GAP) - GAP > rect.w) f.across--;
  f.cell_w = LS_CLAMP((rect.w + GAP) / f.across / m->size_x - GAP, 1, CELL_MOST);
  while (f.cell_w > 1 && f.across * (LS_MAX(m->size_x * f.cell_w, LABEL_W) + GAP) - GAP > rect.w) f.cell_w--;
  while (f.cell_w < CELL_MOST &&
         f.across * (LS_MAX(m->size_x * (f.cell_w + 1), LABEL_W) + GAP) - GAP <= rect.w) f.cell_w++;
  int room = rect.h - HEAD_H - 1;
  while (f.down > 1 && f.down * (m->size_y + LABEL_H) > room) f.down--;
  f.rows = LS_MIN(m->size_y, LS_MAX(room / f.down - LABEL_H, 1));
  f.cell_h = f.rows == m->size_y && f.down * (TALL * m->size_y + LABEL_H) <= room ? TALL : 1;
  return f;
}

static int width_of(const IdsModel *m, const Field *f) { return LS_MAX(m->size_x * f->cell_w, LABEL_W) + GAP; }

// A thread in the color of its warp, with its rank where there is room for it.
static void draw_thread(const IdsModel *m, const Field *f, Canvas *canvas, Rect cell, int rank, bool here) {
  char text[16];
  int warp = rank / IDS_WARP;
  bool chosen = here && rank == m->rank;
  Role role = chosen ? ROLE_CURSOR : picture_set(warp);
  int width = snprintf(text, sizeof text, "%d", rank), full = cell.w - (f->cell_w > 1);
  picture_bar(canvas, (Rect){cell.x, cell.y, full, cell.h}, picture_shade(chosen ? 0 : warp), role);
  if (f->cell_w >= TEXT_CELL && width <= full)
    canvas_text(canvas, cell.x, cell.y, role, STYLE_REVERSE | (chosen ? STYLE_BOLD : 0), text);
}

static void draw_block(const IdsModel *m, const Field *f, Canvas *canvas, int x, int y, int bx, int by) {
  bool here = bx == m->block_x && by == m->block_y;
  canvas_textf(canvas, x, y, here ? ROLE_CURSOR : ROLE_DIM, here ? STYLE_BOLD : 0, "%d,%d", bx, by);
  for (int row = 0; row < f->rows; row++)
    for (int col = 0; col < m->size_x; col++) {
      Rect cell = {x + col * f->cell_w, y + LABEL_H + row * f->cell_h, f->cell_w, f->cell_h};
      draw_thread(m, f, canvas, cell, ids_rank(m, col, row, m->z), here);
    }
}

// The blocks from where on the chosen one is among those that are shown.
static void draw_grid(const IdsModel *m, const Field *f, Canvas *canvas, Rect rect) {
  int width = width_of(m, f), height = f->rows * f->cell_h + LABEL_H;
  int first_x = LS_CLAMP(m->block_x - f->across + 1, 0, m->grid_x - f->across);
  int first_y = LS_CLAMP(m->block_y - f->down + 1, 0, m->grid_y - f->down);
  for (int j = 0; j < f->down; j++)
    for (int i = 0; i < f->across; i++)
      draw_block(m, f, canvas, rect.x + i * width, rect.y + j * height, first_x + i, first_y + j);
  int shown = f->across * f->down, all = m->grid_x * m->grid_y;
  LsText more = {0};
  if (shown < all) ls_text_addf(&more, "▾ %d more blocks", all - shown);
  const char *apart = more.length ? "  " : "";
  if (f->rows < m->size_y) ls_text_addf(&more, "%s▾ %d more rows of each", apart, m->size_y - f->rows);
  apart = more.length ? "  " : "";
  if (m->size_z > 1) ls_text_addf(&more, "%slayer z = %d of %d", apart, m->z, m->size_z);
  canvas_text_cut(canvas, rect.x, rect.y + f->down * height, rect.w, ROLE_DIM, 0, ls_text_str(&more));
  ls_text_free(&more);
}

PictureRoom model_room_ids(const ModelValues *values, int cols) {
  IdsModel m;
  (void)cols;
  ids_model(values, &m);
  return (PictureRoom){HEAD_H + 1 + LS_MIN(m.size_y + LABEL_H, LEAST_ROWS),
                       HEAD_H + 1 + m.grid_y * (TALL * m.size_y + LABEL_H)};
}

void model_draw_ids(const ModelValues *values, Canvas *canvas, Rect rect) {
  IdsModel m;
  char right[48], left[96];
  ids_model(values, &m);
  snprintf(right, sizeof right, "warp %d, lane %d", m.rank / IDS_WARP, m.rank % IDS_WARP);
  snprintf(left, sizeof left, "grid %d x %d, block %d x %d x %d: %d %s", m.grid_x, m.grid_y, m.size_x, m.size_y,
           m.size_z, m.warps, m.warps == 1 ? "warp" : "warps");
  canvas_text_cut(canvas, rect.x, rect.y, rect.w - ls_utf8_width(right) - 2, ROLE_TEXT, STYLE_BOLD, left);
  canvas_text_right(canvas, rect.x + rect.w, rect.y, ROLE_CURSOR, STYLE_BOLD, right);
  Field f = plan(&m, rect);
  draw_grid(&m, &f, canvas, (Rect){rect.x, rect.y + HEAD_H, rect.w, rect.h - HEAD_H});
}
