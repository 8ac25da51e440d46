// plot.h: lines and points with two axes, in braille dots: two across and four down in a cell.
#ifndef LS_UI_MODELS_PLOT_H
#define LS_UI_MODELS_PLOT_H

#include "ui/term/canvas.h"

typedef struct PlotAxis { double least, most; bool log; } PlotAxis;
typedef struct Plot {
  Canvas *canvas;
  Rect rect;                 // of the dots
  PlotAxis x, y;
} Plot;

// The cell of a point; false: it is outside.
bool plot_cell(const Plot *plot, double x, double y, int *cell_x, int *cell_y);
// A straight line on these axes; where several meet in a cell, the role of the last one.
void plot_line(const Plot *plot, double x0, double y0, double x1, double y1, Role role);
// A mark with a label beside it, where there is room for that: right of it, left of it, above, below; else no label.
void plot_point(const Plot *plot, double x, double y, uint32_t mark, Role role, const char *label);
// A label at the right end, in row y or the first free one below it; above where there is none.
void plot_label(const Plot *plot, int y, Role role, const char *label);
// Labels of powers of `base` below the dots, and of ten at their left.
void plot_axes(const Plot *plot, double base);

#endif
