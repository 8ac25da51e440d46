// plot.c: dots into braille cells, and labels that find their places.
#include "ui/models/plot.h"

#include <math.h>
#include <stdio.h>

#include "base/mem.h"

enum { BRAILLE = 0x2800, ACROSS = 2, DOWN = 4 };

static double share(PlotAxis axis, double value) {
  if (!axis.log) return (value - axis.least) / (axis.most - axis.least);
  return (log(value) - log(axis.least)) / (log(axis.most) - log(axis.least));
}

bool plot_cell(const Plot *plot, double x, double y, int *cell_x, int *cell_y) {
  double across = share(plot->x, x), up = share(plot->y, y);
  int w = plot->rect.w * ACROSS - 1, h = plot->rect.h * DOWN - 1;
  int dot_x = (int)floor(across * w + 0.5), dot_y = h - (int)floor(up * h + 0.5);
  *cell_x = plot->rect.x + LS_CLAMP(dot_x, 0, w) / ACROSS;
  *cell_y = plot->rect.y + LS_CLAMP(dot_y, 0, h) / DOWN;
  return across >= 0 && across <= 1 && up >= 0 && up <= 1;
}

// Column and row of a dot, from the upper left corner.
static void put_dot(const Plot *plot, int x, int y, Role role) {
  static const uint8_t bits[DOWN][ACROSS] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  int cell_x = plot->rect.x + x / ACROSS, cell_y = plot->rect.y + y / DOWN;
  const Cell *cell = canvas_at(plot->canvas, cell_x, cell_y);
  if (!cell || x < 0 || y < 0 || x >= plot->rect.w * ACROSS || y >= plot->rect.h * DOWN) return;
  bool braille = cell->code >= BRAILLE && cell->code < BRAILLE + 256;
  if (!braille && cell->code != ' ') return;
  uint32_t dots = (braille ? cell->code : (uint32_t)BRAILLE) | bits[y % DOWN][x % ACROSS];
  canvas_put(plot->canvas, cell_x, cell_y, dots, role, 0);
}

void plot_line(const Plot *plot, double x0, double y0, double x1, double y1, Role role) {
  int w = plot->rect.w * ACROSS - 1, h = plot->rect.h * DOWN - 1;
  double ax = share(plot->x, x0) * w, ay = share(plot->y, y0) * h, bx = share(plot->x, x1) * w,
      by = share(plot->y, y1) * h;
  int steps = LS_MAX((int)ceil(LS_MAX(fabs(bx - ax), fabs(by - ay))), 1);
  for (int i = 0; i <= steps; i++) {
    double t = (double)i / steps;
    put_dot(plot, (int)floor(ax + (bx - ax) * t + 0.5), h - (int)floor(ay + (by - ay) * t + 0.5), role);
  }
}

// Whether nothing but dots stands there, and a blank beside.
static bool is_free(const Plot *plot, int x, int y, int width) {
  if (y < plot->rect.y || y >= plot->rect.y + plot->rect.h || x < plot->rect.x ||
      x + width > plot->rect.x + plot->rect.w) return false;
  for (int i = -1; i <= width; i++) {
    const Cell *cell = canvas_at(plot->canvas, x + i, y);
    bool dots = cell && cell->code >= BRAILLE && cell->code < BRAILLE + 256;
    if (cell && cell->code != ' ' && !(dots && (i < 0 || i == width))) return false;
  }
  return true;
}

void plot_point(const Plot *plot, double x, double y, uint32_t mark, Role role, const char *label) {
  int at_x, at_y, width = ls_utf8_width(label);
  plot_cell(plot, x, y, &at_x, &at_y);
  canvas_put(plot->canvas, at_x, at_y, mark, role, STYLE_BOLD);
  const int places[][2] = {{2, 0}, {-width - 1, 0}, {1, 1}, {-width, -1}, {1, -1}, {-width, 1}, {2, 2}, {-width, -2}};
  for (int i = 0; *label && i < LS_COUNT(places); i++)
    if (is_free(plot, at_x + places[i][0], at_y + places[i][1], width)) {
      canvas_text(plot->canvas, at_x + places[i][0], at_y + places[i][1], role, 0, label);
      return;
    }
}

void plot_label(const Plot *plot, int y, Role role, const char *label) {
  int width = ls_utf8_width(label), x = plot->rect.x + plot->rect.w - width, bottom = plot->rect.y + plot->rect.h;
  int row = LS_MAX(y, plot->rect.y);
  while (row < bottom && !is_free(plot, x, row, width)) row++;
  if (row == bottom)
    for (row = LS_MAX(y, plot->rect.y) - 1; row >= plot->rect.y && !is_free(plot, x, row, width);) row--;
  if (row >= plot->rect.y) canvas_text(plot->canvas, x, row, role, STYLE_BOLD, label);
}

static void number_text(double value, char *out, size_t size) {
  if (value < 1) snprintf(out, size, "1/%.0f", 1 / value);
  else if (value < 1e6) snprintf(out, size, "%.0f", value);
  else snprintf(out, size, "%.0fM", value / 1e6);
}

void plot_axes(const Plot *plot, double base) {
  char text[24];
  Rect r = plot->rect;
  int end = r.x - 1, low = r.y + r.h;
  for (double x = pow(base, ceil(log(plot->x.least) / log(base) - 1e-9)); x <= plot->x.most * 1.0001; x *= base) {
    int cell_x, cell_y;
    plot_cell(plot, x, plot->y.least, &cell_x, &cell_y);
    number_text(x, text, sizeof text);
    int width = ls_utf8_width(text), at = LS_CLAMP(cell_x - width / 2, r.x, r.x + r.w - width);
    if (at > end) end = canvas_text(plot->canvas, at, r.y + r.h, ROLE_DIM, 0, text);
  }
  for (double y = pow(10, ceil(log10(plot->y.least) - 1e-9)); y <= plot->y.most * 1.0001; y *= 10) {
    int cell_x, cell_y;
    plot_cell(plot, plot->x.least, y, &cell_x, &cell_y);
    number_text(y, text, sizeof text);
    if (cell_y < low) canvas_text_right(plot->canvas, r.x - 1, cell_y, ROLE_DIM, 0, text);
    low = LS_MIN(low, cell_y);
  }
}
