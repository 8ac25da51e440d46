// draw_little.c: an escalator with its riders, and the lines that an SM needs beside those that its warps can ask for.
#include <stdio.h>

#include "app/models/little.h"
#include "base/mem.h"
#include "ui/models/pictures.h"

enum { LABEL_W = 12, RIGHT_W = 22, LEAST = 8, STAIRS_MOST = 14, BARS_H = 3, HEAD_H = 1, STEP_W = 6 };

// Steps go up from left to right as far as there is room; a rider stands on every so many of them.
static void draw_stairs(const LittleModel *m, Canvas *canvas, Rect rect) {
  int step_w = LS_CLAMP(rect.w / m->steps, 1, STEP_W), on = LS_MIN(m->riders, m->steps);
  for (int i = 0; i < m->steps; i++) {
    int x = rect.x + i * step_w, y = rect.y + rect.h - 1 - i * (rect.h - 2) / LS_MAX(m->steps - 1, 1);
    bool rider = (i + 1) * on / m->steps > i * on / m->steps;
    canvas_fill(canvas, (Rect){x, y, step_w, 1}, 0x2580, ROLE_DIM, 0);
    if (rider) canvas_put(canvas, x, y - 1, 0x25cf, ROLE_USED, STYLE_BOLD);
  }
}

static void draw_bar(Canvas *canvas, Rect row, const char *label, double part, double whole, Role role,
                     const char *text) {
  Rect bar = {row.x + LABEL_W, row.y, row.w - LABEL_W - RIGHT_W, 1};
  canvas_text(canvas, row.x, row.y, ROLE_DIM, 0, label);
  canvas_fill(canvas, bar, 0x2591, ROLE_GONE, 0);
  picture_piece(canvas, bar, 0, part, whole, 0x2588, role);
  canvas_text_right(canvas, row.x + row.w, row.y, ROLE_TEXT, 0, text);
}

PictureRoom model_room_little(const ModelValues *values, int cols) {
  (void)values, (void)cols;
  return (PictureRoom){LEAST, HEAD_H + STAIRS_MOST + 1 + BARS_H};
}

void model_draw_little(const ModelValues *values, Canvas *canvas, Rect rect) {
  LittleModel m;
  char text[64];
  little_model(values, &m);
  snprintf(text, sizeof text, "%.3g of %.3g a second", m.rate, m.most);
  canvas_textf(canvas, rect.x, rect.y, ROLE_TEXT, STYLE_BOLD, "%d on %d steps, %.4g s to the top", LS_MIN(m.riders,
      m.steps), m.steps, m.ride);
  canvas_text_right(canvas, rect.x + rect.w, rect.y, m.rate < m.most ? ROLE_WAITING : ROLE_GOOD, STYLE_BOLD, text);
  int stairs = LS_CLAMP(rect.h - HEAD_H - BARS_H - 1, 3, STAIRS_MOST), y = rect.y + HEAD_H + stairs + 1;
  draw_stairs(&m, canvas, (Rect){rect.x, rect.y + HEAD_H, rect.w, stairs});
  double held = (double)m.arch->warps_per_sm * m.loads, whole = LS_MAX(held, m.lines);
  canvas_textf(canvas, rect.x, y, ROLE_TEXT, STYLE_BOLD, "one SM of %s", m.arch->title);
  snprintf(text, sizeof text, "%.1f lines", m.lines);
  draw_bar(canvas, (Rect){rect.x, y + 1, rect.w, 1}, "must fly", m.lines, whole, ROLE_ACTIVE, text);
  snprintf(text, sizeof text, "%d warps x %d load%s", m.arch->warps_per_sm, m.loads, m.loads == 1 ? "" : "s");
  draw_bar(canvas, (Rect){rect.x, y + 2, rect.w, 1}, "can fly", held, whole, held < m.lines ? ROLE_WAITING : ROLE_USED,
           text);
}
