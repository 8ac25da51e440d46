// draw_banks.c: banks as columns, rows of shared memory below them, and in each cell the number of its word.
#include <stdio.h>

#include "app/models/banks.h"
#include "base/mem.h"
#include "ui/models/pictures.h"

enum { LABEL_W = 7, HEAD_H = 1, CELL_LEAST = 1, CELL_MOST = 4, LEAST = 6, LOAD_H = 4, LOAD_LEAST = 1, ROWS_SHOWN = 4,
       ROWS_MOST = 256 };

static int cell_of(const BanksModel *m, int width) {
  return LS_CLAMP((width - LABEL_W) / m->banks, CELL_LEAST, CELL_MOST);
}

// How many rows a bank has to give: as high as its part of the most.
static void draw_load(const BanksModel *m, Canvas *canvas, Rect rect, int cell) {
  canvas_text(canvas, rect.x, rect.y + rect.h - 1, ROLE_DIM, 0, "turns");
  for (int bank = 0; bank < m->banks; bank++) {
    int turns = m->turns[bank];
    Rect column = {rect.x + LABEL_W + bank * cell, rect.y, LS_MAX(cell - 1, 1), rect.h};
    picture_column(canvas, column, (double)turns / LS_MAX(m->degree, 1), turns > 1 ? ROLE_WAITING : ROLE_USED);
    if (!turns) canvas_put(canvas, column.x, rect.y + rect.h - 1, 0xb7, ROLE_GONE, 0);
  }
}

static void draw_heads(const BanksModel *m, Canvas *canvas, Rect rect, int cell) {
  canvas_text(canvas, rect.x, rect.y, ROLE_DIM, 0, "bank");
  int apart = cell > 2 ? 1 : cell > 1 ? 2 : 4;
  for (int bank = 0; bank < m->banks; bank += apart)
    canvas_textf(canvas, rect.x + LABEL_W + bank * cell, rect.y, ROLE_DIM, 0, "%d", bank);
}

static bool is_wanted(const BanksModel *m, int word) {
  for (int lane = 0; lane < BANKS_LANES; lane++) {
    int first = (int)(m->byte[lane] / 4);
    if (word >= first && word < first + m->width / 4) return true;
  }
  return false;
}

// Words by their numbers, those that are wanted bright. A row of 8 bytes has two lines.
static void draw_words(const BanksModel *m, Canvas *canvas, Rect line, int cell, int row, int half) {
  if (half) canvas_text(canvas, line.x, line.y, ROLE_DIM, 0, "   +4");
  else canvas_textf(canvas, line.x, line.y, ROLE_DIM, 0, "row %d", row);
  for (int bank = 0; bank < m->banks; bank++) {
    char text[16];
    int word = banks_word(m->map, bank, row, half), width = snprintf(text, sizeof text, "%d", word);
    bool wanted = is_wanted(m, word), fits = width <= LS_MAX(cell - (cell > 2), 1);
    int x = line.x + LABEL_W + bank * cell;
    // Where numbers touch, each bank differs from the next one.
    Role role = !wanted ? ROLE_GONE : picture_set(cell > 2 ? row : bank % 2);
    bool shown = fits && cell > 1;
    if (wanted) canvas_fill(canvas, (Rect){x, line.y, LS_MAX(cell - (cell > 2), 1), 1}, 0x2588, role, 0);
    if (wanted && shown) canvas_text(canvas, x, line.y, role, STYLE_REVERSE | STYLE_BOLD, text);
    else if (shown) canvas_text(canvas, x, line.y, cell == 2 && bank % 2 ? ROLE_TEXT : ROLE_DIM, 0, text);
    else if (!wanted) canvas_put(canvas, x, line.y, 0xb7, role, 0);
  }
}

static void draw_rows(const BanksModel *m, Canvas *canvas, Rect rect, int cell, int last) {
  int halves = m->bank_bytes / 4, all = (last + 1) * halves, lines = all > rect.h ? rect.h - 1 : all;
  for (int i = 0; i < lines; i++)
    draw_words(m, canvas, (Rect){rect.x, rect.y + i, rect.w, 1}, cell, i / halves, i % halves);
  if (lines < all) canvas_textf(canvas, rect.x, rect.y + lines, ROLE_DIM, 0, "▾ %d more lines", all - lines);
}

static int last_row(const BanksModel *m) {
  int row = banks_row(m->map, m->byte[BANKS_LANES - 1] + (uint64_t)m->width - 1);
  return LS_CLAMP(row, ROWS_SHOWN - 1, ROWS_MOST);
}

PictureRoom model_room_banks(const ModelValues *values, int cols) {
  BanksModel m;
  (void)cols;
  banks_model(values, &m);
  return (PictureRoom){LEAST, HEAD_H + LOAD_H + 2 + (last_row(&m) + 1) * m.bank_bytes / 4};
}

void model_draw_banks(const ModelValues *values, Canvas *canvas, Rect rect) {
  BanksModel m;
  char left[64], right[48];
  banks_model(values, &m);
  snprintf(left, sizeof left, "%d banks of %d bytes", m.banks, m.bank_bytes);
  snprintf(right, sizeof right, "%d %s", m.wavefronts, m.wavefronts == 1 ? "wavefront" : "wavefronts");
  canvas_text(canvas, rect.x, rect.y, ROLE_TEXT, STYLE_BOLD, left);
  canvas_text_right(canvas, rect.x + rect.w, rect.y, m.degree > 1 ? ROLE_WAITING : ROLE_GOOD, STYLE_BOLD, right);
  int cell = cell_of(&m, rect.w), y = rect.y + HEAD_H, last = last_row(&m);
  int load = LS_CLAMP(rect.h - HEAD_H - 2 - (last + 1) * m.bank_bytes / 4, LOAD_LEAST, LOAD_H);
  draw_load(&m, canvas, (Rect){rect.x, y, rect.w, load}, cell);
  draw_heads(&m, canvas, (Rect){rect.x, y + load, rect.w, 1}, cell);
  y += load + 1;
  draw_rows(&m, canvas, (Rect){rect.x, y, rect.w, rect.y + rect.h - y}, cell, last);
}
