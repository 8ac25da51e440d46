// draw_pages.c: pages as cells by who has them, the move that is under way, and where the time goes.
#include <stdio.h>

#include "app/models/pages.h"
#include "base/mem.h"
#include "ui/models/pictures.h"

enum { HEAD_H = 1, TIME_H = 3, LEAST = 7, CELL_W = 3, WIDE_CELL_W = 9, LABEL_W = 8 };

// Columns of a cell, and rows from one line of cells to the next.
typedef struct Grid { int w, pitch; } Grid;

static int lines_of(int pages, int cols, int w) {
  int across = LS_MAX(cols / w, 1);
  return (pages + across - 1) / across;
}

static int rows_of(int pages, int cols, Grid grid) { return (lines_of(pages, cols, grid.w) - 1) * grid.pitch + 1; }

// The largest cells with which all pages have room.
static Grid grid_of(int pages, int cols, int rows) {
  for (int w = WIDE_CELL_W; w >= CELL_W; w--)
    if (rows_of(pages, cols, (Grid){w, 2}) <= rows) return (Grid){w, 2};
  for (int w = CELL_W; w > 1; w--)
    if (lines_of(pages, cols, w) <= rows) return (Grid){w, 1};
  return (Grid){1, 1};
}

static void draw_cells(const PagesModel *m, Canvas *canvas, Rect rect, Grid grid) {
  int w = grid.w, across = LS_MAX(rect.w / w, 1), room = across * ((rect.h - 1) / grid.pitch + 1);
  if (room < m->pages) room -= across;       // the last row says how many more there are
  const PagesEvent *now = m->shown ? &m->events[m->shown - 1] : NULL;
  for (int i = 0; i < LS_MIN(m->pages, room); i++) {
    int x = rect.x + i % across * w, y = rect.y + i / across * grid.pitch;
    bool moves = now && i >= now->first && i < now->first + now->count;
    Role role = moves ? ROLE_CURSOR : m->on_gpu[i] ? ROLE_USED : ROLE_SET1;
    for (int k = 0; k < LS_MAX(w - 1, 1); k++)
      canvas_put(canvas, x + k, y, k ? (m->on_gpu[i] ? 0x2588 : 0x2592) : (uint32_t)(m->on_gpu[i] ? 'G' : 'H'), role,
                 STYLE_BOLD | (k ? 0 : STYLE_REVERSE));
  }
  if (room < m->pages)
    canvas_textf(canvas, rect.x, rect.y + rect.h - 1, ROLE_DIM, 0, "▾ %d more pages", m->pages - room);
}

// The bytes alone, and the waiting for faults, side by side in one bar.
static void draw_time(const PagesModel *m, Canvas *canvas, Rect rect) {
  char text[64];
  snprintf(text, sizeof text, "%.4g ms", m->us / 1000);
  Rect bar = {rect.x + LABEL_W, rect.y, rect.w - LABEL_W - ls_utf8_width(text) - 2, 1};
  canvas_text(canvas, rect.x, rect.y, ROLE_DIM, 0, "time");
  picture_piece(canvas, bar, 0, m->move_us, m->us, 0x2588, ROLE_ACTIVE);
  picture_piece(canvas, bar, m->move_us, m->us, m->us, 0x2592, ROLE_WAITING);
  canvas_text_right(canvas, rect.x + rect.w, rect.y, ROLE_TEXT, STYLE_BOLD, text);
  int x = canvas_textf(canvas, bar.x, rect.y + 1, ROLE_ACTIVE, 0, "█ bytes %.4g ms", m->move_us / 1000) + 2;
  if (x + 24 < rect.x + rect.w) canvas_textf(canvas, x, rect.y + 1, ROLE_WAITING, 0, "▒ faults %.4g ms",
                                             m->stall_us / 1000);
}

PictureRoom model_room_pages(const ModelValues *values, int cols) {
  PagesModel m;
  pages_model(values, &m);
  return (PictureRoom){LEAST, HEAD_H + 1 + rows_of(m.pages, cols, (Grid){WIDE_CELL_W, 2}) + TIME_H};
}

void model_draw_pages(const ModelValues *values, Canvas *canvas, Rect rect) {
  PagesModel m;
  char right[64];
  pages_model(values, &m);
  const PagesEvent *now = m.shown ? &m.events[m.shown - 1] : NULL;
  if (now) snprintf(right, sizeof right, "%s: %d %s", pages_kind(now->kind), now->count,
                    now->count == 1 ? "page" : "pages");
  else snprintf(right, sizeof right, "nothing has moved");
  int room = rect.w - ls_utf8_width(right) - 2;
  canvas_text_cut(canvas, rect.x, rect.y, room, ROLE_TEXT, STYLE_BOLD, "H on the host   G on the GPU");
  canvas_text_right(canvas, rect.x + rect.w, rect.y, ROLE_CURSOR, STYLE_BOLD, right);
  int most = LS_MAX(rect.h - HEAD_H - TIME_H, 1);
  Grid grid = grid_of(m.pages, rect.w, most);
  int rows = LS_MIN(rows_of(m.pages, rect.w, grid), most);
  draw_cells(&m, canvas, (Rect){rect.x, rect.y + HEAD_H, rect.w, rows}, grid);
  draw_time(&m, canvas, (Rect){rect.x, rect.y + HEAD_H + rows + 1, rect.w, TIME_H - 1});
}
