// draw_caches.c: what each level answered, and a grid of requests by the farthest level that each had to go to.
#include <stdio.h>

#include "app/models/caches.h"
#include "base/mem.h"
#include "ui/models/pictures.h"

enum { LABEL_W = 11, COUNT_W = 24, PATH_H = 5, GRID_HEAD = 1, LEAST = 10, CELL_W = 3, ABOUT_H = 2 };
enum { ROW_MOST = 3, BAR_MOST = 2 };   // lines of a request, and of a bar

static const Role roles[CACHES_LEVELS] = {ROLE_USED, ROLE_ACTIVE, ROLE_WAITING};
static const char letters[CACHES_LEVELS] = {'1', '2', 'M'};

static const char *level_name(const CachesModel *m, int level) {
  return level == 0 ? m->near : level == 1 ? "L2" : "memory";
}

// Each level as wide as what it was asked for; what it had is filled.
static void draw_path(const CachesModel *m, Canvas *canvas, Rect rect, int bar_h) {
  char digits[32];
  int64_t asked = m->asked;
  char text[64];
  int end = canvas_textf(canvas, rect.x, rect.y, ROLE_TEXT, STYLE_BOLD, "%s sectors asked",
                         ls_group_digits((uint64_t)m->asked, digits));
  if (m->passes) canvas_textf(canvas, end + 3, rect.y, ROLE_WAITING, STYLE_BOLD, "%s passes through one port",
                              ls_group_digits((uint64_t)m->passes, digits));
  for (int level = 0, y = rect.y + 1; level < CACHES_LEVELS; level++) {
    if (!level_name(m, level)) continue;
    canvas_text(canvas, rect.x, y, ROLE_DIM, 0, level_name(m, level));
    Rect bar = {rect.x + LABEL_W, y, rect.w - LABEL_W - COUNT_W, bar_h};
    picture_piece(canvas, bar, 0, (double)asked, (double)LS_MAX(m->asked, 1), 0x2591, ROLE_MASKED);
    picture_piece(canvas, bar, 0, (double)m->found[level], (double)LS_MAX(m->asked, 1), picture_shade(level),
                  roles[level]);
    char found[32];
    ls_group_digits((uint64_t)m->found[level], found);
    if (level == 2) snprintf(text, sizeof text, "%s read", found);
    else snprintf(text, sizeof text, "%s of %s hit", found, ls_group_digits((uint64_t)asked, digits));
    canvas_text_right(canvas, rect.x + rect.w, y, ROLE_TEXT, 0, text);
    asked -= m->found[level];
    y += bar_h + (bar_h > 1);
  }
}

static int farthest(const CachesRequest *request) {
  for (int level = CACHES_LEVELS - 1; level > 0; level--)
    if (request->found[level]) return level;
  return 0;
}

// Rows of instructions, columns of warps; where they do not fit, columns that are counted.
static void draw_grid(const CachesModel *m, Canvas *canvas, Rect rect, int row_h) {
  int room = rect.w - LABEL_W, cell = LS_CLAMP(room / m->col_count, 1, CELL_W), fit = LS_MIN(m->col_count, room / cell);
  bool more = fit < m->col_count;
  canvas_text(canvas, rect.x, rect.y, ROLE_DIM, 0, m->cols);
  for (int col = 0, end = 0; col < fit; col += 4) {
    char text[16];
    int at = rect.x + LABEL_W + col * cell;
    snprintf(text, sizeof text, "%d", col);
    if (at >= end && at + ls_utf8_width(text) <= rect.x + rect.w - (more ? 8 : 0)) end = canvas_text(canvas, at, rect.y,
        ROLE_DIM, 0, text) + 1;
  }
  if (more) canvas_textf(canvas, rect.x + rect.w - 7, rect.y, ROLE_DIM, 0, "▸ %d", m->col_count - fit);
  for (int row = 0; row < m->row_count; row++) canvas_text(canvas, rect.x, rect.y + 1 + row * row_h, ROLE_TEXT,
                                                           0, m->rows[row]);
  for (int i = 0; i < m->request_count; i++) {
    const CachesRequest *r = &m->requests[i];
    int x = rect.x + LABEL_W + r->col * cell, y = rect.y + 1 + r->row * row_h, level = farthest(r);
    if (r->col >= fit) continue;
    bool now = i == m->shown - 1;
    if (i >= m->shown) {
      canvas_put(canvas, x, y, 0xb7, ROLE_GONE, 0);
      continue;
    }
    Role role = now ? ROLE_CURSOR : roles[level];
    if (row_h > 1 || cell > 2) picture_bar(canvas, (Rect){x, y, LS_MAX(cell - 1, 1), row_h}, 0x2588, role);
    canvas_put(canvas, x, y, (uint32_t)letters[level], role, STYLE_BOLD | STYLE_REVERSE);
  }
}

// The last request on its way, sector by sector: where each was found.
static void draw_request(const CachesModel *m, Canvas *canvas, Rect rect) {
  if (!m->shown) return;
  const CachesRequest *r = &m->requests[m->shown - 1];
  int x = canvas_textf(canvas, rect.x, rect.y, ROLE_CURSOR, STYLE_BOLD, "▸ %s %d, %s: %d %s  ", m->cols, r->col,
                       m->rows[r->row], r->sectors, r->sectors == 1 ? "sector" : "sectors");
  for (int level = 0; level < CACHES_LEVELS; level++) {
    char text[48];
    if (!level_name(m, level)) continue;
    snprintf(text, sizeof text, "%s%s %d", r->found[level] ? "─▶ " : "─  ",
             level_name(m, level), r->found[level]);
    if (x + ls_utf8_width(text) + 1 > rect.x + rect.w) return;
    x = canvas_text(canvas, x, rect.y, r->found[level] ? roles[level] : ROLE_DIM, r->found[level] ? STYLE_BOLD : 0,
                    text) + 1;
  }
}

PictureRoom model_room_caches(const ModelValues *values, int cols) {
  (void)values, (void)cols;
  return (PictureRoom){LEAST, PATH_H + CACHES_LEVELS * BAR_MOST + ABOUT_H + GRID_HEAD + 3 * ROW_MOST};
}

void model_draw_caches(const ModelValues *values, Canvas *canvas, Rect rect) {
  CachesModel m;
  caches_model(values, &m);
  int gap = rect.h >= LEAST + 2, y = rect.y, levels = CACHES_LEVELS - !m.near;
  int spare = rect.h - 1 - levels - GRID_HEAD - m.row_count - ABOUT_H - 2 * gap;
  int row_h = LS_CLAMP(1 + spare / m.row_count, 1, ROW_MOST);
  int bar_h = spare - (row_h - 1) * m.row_count >= levels * BAR_MOST ? BAR_MOST : 1;
  draw_path(&m, canvas, (Rect){rect.x, y, rect.w, PATH_H - 1}, bar_h);
  y += 1 + levels * (bar_h + (bar_h > 1)) + gap;
  draw_grid(&m, canvas, (Rect){rect.x, y, rect.w, GRID_HEAD + m.row_count * row_h}, row_h);
  y += GRID_HEAD + m.row_count * row_h + gap;
  draw_request(&m, canvas, (Rect){rect.x, y, rect.w, 1});
  static const char key[] = "1 in the SM   2 in L2   M from memory";
  if (y + 1 < rect.y + rect.h) canvas_text_cut(canvas, rect.x, y + 1, rect.w, ROLE_DIM, 0, key);
}
