// draw_roofline.c: two roofs, or four, and the points below them.
#include <math.h>
#include <stdio.h>

#include "app/models/roofline.h"
#include "base/mem.h"
#include "ui/models/pictures.h"
#include "ui/models/plot.h"

enum { AXIS_W = 7, LEAST = 9, WHOLE = 30, BELOW = 1 };
static const double LEFT = 1.0 / 16, RIGHT = 256, AXIS_BASE = 4, ROOM_ABOVE = 2.5, ROOM_BELOW = 0.4;

static void draw_roofs(const Plot *plot, const Roofline *roofs, Role role) {
  double low = LS_MAX(plot->x.least, plot->y.least / roofs->bandwidth_gbs);
  plot_line(plot, low, roofs->bandwidth_gbs * low, roofs->ridge, roofs->peak_gflops, role);
  plot_line(plot, roofs->ridge, roofs->peak_gflops, plot->x.most, roofs->peak_gflops, role);
}

// A name on the flat roof, at its right end; below it where another one stands.
static void draw_name(const Plot *plot, const ArchProfile *arch, const char *unit, const Roofline *roofs, Role role) {
  char text[64];
  int x, y;
  snprintf(text, sizeof text, "%s%s%s %.0f", arch->name, *unit ? " " : "", unit, roofs->peak_gflops);
  plot_cell(plot, plot->x.most, roofs->peak_gflops, &x, &y);
  plot_label(plot, y - 1, role, text);
}

static void draw_heading(const RooflineModel *m, Canvas *canvas, Rect row) {
  char text[96];
  snprintf(text, sizeof text, "%.3g flop per byte: %.4g Gflop/s", m->intensity, m->attainable);
  int room = row.w - ls_utf8_width(text) - 2;
  int x = row.x + canvas_text_cut(canvas, row.x, row.y, room, ROLE_TEXT, STYLE_BOLD, m->arch->title) + 2;
  static const char key[] = "● measured  ○ on the roof";
  if (x + ls_utf8_width(key) < row.x + room) canvas_text(canvas, x, row.y, ROLE_DIM, 0, key);
  canvas_text_right(canvas, row.x + row.w, row.y, ROLE_TEXT, STYLE_BOLD, text);
}

static void limits_of(const RooflineModel *m, PlotAxis *x, PlotAxis *y) {
  double most = m->roofs.peak_gflops, least = m->roofs.bandwidth_gbs * LEFT;
  if (m->beside) most = LS_MAX(most, m->others.peak_gflops), least = LS_MIN(least, m->others.bandwidth_gbs * LEFT);
  *x = (PlotAxis){LS_MIN(LEFT, m->intensity), LS_MAX(RIGHT, m->intensity), true};
  for (int i = 0; i < m->point_count; i++) {
    const RooflinePoint *p = &m->points[i];
    x->least = LS_MIN(x->least, p->intensity), x->most = LS_MAX(x->most, p->intensity);
    if (p->gflops > 0) most = LS_MAX(most, p->gflops), least = LS_MIN(least, p->gflops);
  }
  *y = (PlotAxis){least * ROOM_BELOW, most * ROOM_ABOVE, true};
}

PictureRoom model_room_roofline(const ModelValues *values, int cols) {
  (void)values, (void)cols;
  return (PictureRoom){LEAST, WHOLE};
}

void model_draw_roofline(const ModelValues *values, Canvas *canvas, Rect rect) {
  RooflineModel m;
  roofline_model(values, &m);
  draw_heading(&m, canvas, (Rect){rect.x, rect.y, rect.w, 1});
  Plot plot = {canvas, {rect.x + AXIS_W, rect.y + 2, rect.w - AXIS_W, rect.h - 2 - BELOW}, {.log = true},
               {.log = true}};
  if (plot.rect.h < 2) return;
  limits_of(&m, &plot.x, &plot.y);
  canvas_text(canvas, rect.x, rect.y + 1, ROLE_DIM, 0, "Gflop/s");
  canvas_text_right(canvas, rect.x + rect.w, rect.y + 1, ROLE_DIM, 0, "over flop per byte");
  plot_axes(&plot, AXIS_BASE);
  plot_line(&plot, m.intensity, plot.y.least, m.intensity, m.attainable, ROLE_CURSOR);
  if (m.beside) draw_roofs(&plot, &m.others, ROLE_SET1);
  draw_roofs(&plot, &m.roofs, ROLE_ACTIVE);
  draw_name(&plot, m.arch, m.measured ? roof_name(m.kind) : "", &m.roofs, ROLE_ACTIVE);
  if (m.beside && m.beside != m.arch) draw_name(&plot, m.beside, "", &m.others, ROLE_SET1);
  plot_point(&plot, m.intensity, m.attainable, 0x25c9, ROLE_CURSOR, "here");
  if (m.beside && m.beside != m.arch) plot_point(&plot, m.intensity, m.other_attainable, 0x25c9, ROLE_CURSOR, "");
  for (int i = 0; i < m.point_count; i++) {
    const RooflinePoint *p = &m.points[i];
    double y = p->gflops > 0 ? p->gflops : roofline_attainable(&m.roofs, p->intensity);
    plot_point(&plot, p->intensity, y, p->gflops > 0 ? 0x25cf : 0x25cb, ROLE_USED, p->name);
  }
}
