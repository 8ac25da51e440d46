// draw_reuse.c: M, N and P, each cell with how often it was read; what a thread and its tile use is marked.
#include <stdio.h>

#include "app/models/reuse.h"
#include "base/mem.h"
#include "ui/models/pictures.h"

enum { CELL_W = 3, WIDE_W = 5, GAP = 3, MATRICES = 3, HEADING = 2, LEAST = 8, TEXT = 16, TITLE_W = 9 };

// Where a grid is too large each cell stands for group x group elements, all of them alike or nearly so.
// product: N stands above P, and M at its left, as a product is written; else all three side by side.
typedef struct Scale { int group, cells, cell_w; bool product; } Scale;

static Scale scale_of(const ReuseModel *m, Rect rect) {
  int room_w = (rect.w - 2 * GAP) / MATRICES / CELL_W, room_h = rect.h - HEADING, room = LS_MAX(LS_MIN(room_w, room_h),
                                                                                                1);
  int group = (m->width + room - 1) / room, cells = (m->width + group - 1) / group;
  Scale s = {group, cells, CELL_W, rect.h >= 2 * (cells + HEADING) && rect.w >= 2 * cells * CELL_W + GAP};
  if (s.product) s.cell_w = LS_CLAMP((rect.w - GAP) / (2 * cells), CELL_W, WIDE_W);
  return s;
}

static bool covers(Scale s, int cell, int at) { return at / s.group == cell; }
static bool overlaps(Scale s, int cell, int from, int to) { return cell * s.group < to && (cell + 1) * s.group > from; }

static void put_count(Canvas *canvas, int x, int y, int count, Role role, int style) {
  char text[TEXT];
  if (count) snprintf(text, sizeof text, "%2d", count);
  else snprintf(text, sizeof text, " ·");
  canvas_text(canvas, x, y, count ? role : ROLE_GONE, style, text);
}

// Brighter where it costs more: read by every thread of a row is as bad as it gets.
static Role role_of(const ReuseModel *m, int reads) {
  if (reads * 2 > m->width) return ROLE_WAITING;
  return reads * 4 > m->width ? ROLE_SET3 : ROLE_USED;
}

static void draw_operand(const ReuseModel *m, Scale s, bool is_m, Canvas *canvas, int x, int y) {
  int from, to;
  reuse_tile_now(m, &from, &to);
  int block = is_m ? m->row / m->block : m->col / m->block, now = m->step - 1;
  for (int i = 0; i < s.cells; i++)
    for (int j = 0; j < s.cells; j++) {
      int k = is_m ? j : i, line = is_m ? i : j;      // k: along the sum; line: the row of M, the column of N
      int reads = is_m ? reuse_reads_m(m, line * s.group, k * s.group) : reuse_reads_n(m, k * s.group, line * s.group);
      bool mine = covers(s, line, is_m ? m->row : m->col) && now >= 0 && covers(s, k, now);
      bool tile = overlaps(s, k, from, to) && overlaps(s, line, block * m->block, (block + 1) * m->block);
      int style = mine ? STYLE_BOLD | STYLE_REVERSE : tile ? STYLE_REVERSE : 0;
      put_count(canvas, x + j * s.cell_w, y + i, reads, mine ? ROLE_CURSOR : role_of(m, reads), style);
    }
}

// P: the thread's element, its block, and how far each sum is.
static void draw_product(const ReuseModel *m, Scale s, Canvas *canvas, int x, int y) {
  int first_row = m->row / m->block * m->block, first_col = m->col / m->block * m->block;
  for (int i = 0; i < s.cells; i++)
    for (int j = 0; j < s.cells; j++) {
      bool mine = covers(s, i, m->row) && covers(s, j, m->col);
      bool block = overlaps(s, i, first_row, first_row + m->block) && overlaps(s, j, first_col, first_col + m->block);
      Role role = mine ? ROLE_CURSOR : block ? ROLE_ACTIVE : ROLE_DIM;
      put_count(canvas, x + j * s.cell_w, y + i, m->step, role, mine ? STYLE_BOLD | STYLE_REVERSE : 0);
    }
}

PictureRoom model_room_reuse(const ModelValues *values, int cols) {
  ReuseModel m;
  (void)cols;
  reuse_model(values, &m);
  return (PictureRoom){LS_MIN(LEAST, m.width) + HEADING, 2 * (m.width + HEADING)};
}

void model_draw_reuse(const ModelValues *values, Canvas *canvas, Rect rect) {
  static const char *const titles[] = {"M, reads", "N, reads", "P, sums of"};
  ReuseModel m;
  reuse_model(values, &m);
  Scale s = scale_of(&m, rect);
  int width = LS_MAX(s.cells * s.cell_w, TITLE_W) + GAP, below = s.product ? s.cells + HEADING : 0;
  const int left[MATRICES] = {0, width, s.product ? width : 2 * width}, top[MATRICES] = {below, 0, below};
  canvas_textf(canvas, rect.x, rect.y, ROLE_TEXT, STYLE_BOLD, "P = M N, %d x %d%s", m.width, m.width,
               m.tile ? "" : ", naive");
  char right[64];
  char words[32], sectors[32];
  snprintf(right, sizeof right, "%s words, %s sectors", ls_group_digits((uint64_t)m.words, words),
           ls_group_digits((uint64_t)m.sectors, sectors));
  canvas_text_right(canvas, rect.x + rect.w, rect.y, ROLE_TEXT, STYLE_BOLD, right);
  for (int i = 0; i < MATRICES; i++) {
    char title[48];
    snprintf(title, sizeof title, s.group > 1 ? "%s, by %d" : "%s", titles[i], s.group);
    canvas_text_cut(canvas, rect.x + left[i], rect.y + top[i] + 1, LS_MIN(width - 1, rect.w - left[i]), ROLE_DIM, 0,
                    title);
  }
  draw_operand(&m, s, true, canvas, rect.x + left[0], rect.y + top[0] + HEADING);
  draw_operand(&m, s, false, canvas, rect.x + left[1], rect.y + top[1] + HEADING);
  draw_product(&m, s, canvas, rect.x + left[2], rect.y + top[2] + HEADING);
}
