// layout.c: where every pane of the explorer stands, from the size of the window and what is open.
#include <string.h>

#include "app/layout.h"
#include "base/mem.h"

enum { FEW_COLS = 120, MANY_COLS = 160 };   // a rail stands above the lanes; beside the whole explorer

// Rectangles are cut from an area one after another, so that they can neither overlap nor leave the window.
static Rect cut_top(Rect *area, int h) {
  h = LS_CLAMP(h, 0, area->h);
  Rect top = {area->x, area->y, h ? area->w : 0, h};
  area->y += h;
  area->h -= h;
  return top;
}

static Rect cut_bottom(Rect *area, int h) {
  h = LS_CLAMP(h, 0, area->h);
  area->h -= h;
  return (Rect){area->x, area->y + area->h, h ? area->w : 0, h};
}

static Rect cut_left(Rect *area, int w) {
  w = LS_CLAMP(w, 0, area->w);
  Rect left = {area->x, area->y, w, w ? area->h : 0};
  area->x += w;
  area->w -= w;
  return left;
}

static Rect cut_right(Rect *area, int w) {
  w = LS_CLAMP(w, 0, area->w);
  area->w -= w;
  return (Rect){area->x + area->w, area->y, w, w ? area->h : 0};
}

// Beside the explorer where both have room to breathe, else below it; in between see place_lesson.
static void place_rail(int cols, int rows, Rect *area, Layout *layout) {
  if (cols >= FEW_COLS) layout->rail = cut_right(area, LS_CLAMP(cols / 3, 38, 64));
  else layout->rail = cut_bottom(area, LS_CLAMP(rows / 3, LAYOUT_LEAST_RAIL_H, 16));
}

static void place_compare(Rect area, unsigned flags, Layout *layout) {
  if (flags & LAYOUT_PANEL) layout->panel = cut_bottom(&area, LS_CLAMP(area.h / 2, LAYOUT_LEAST_PANE_H, 14));
  int middle = area.w >= 100 ? 28 : area.w >= 76 ? 22 : LAYOUT_LEAST_SIDE_W;
  layout->left = cut_left(&area, (area.w - middle) / 2);
  layout->middle = cut_left(&area, middle);
  layout->right = area;
}

static void place_same(Rect area, unsigned flags, Layout *layout) {
  if (flags & LAYOUT_PANEL) layout->panel = cut_bottom(&area, LS_CLAMP(area.h / 2, LAYOUT_LEAST_PANE_H, 14));
  Rect below = cut_bottom(&area, LS_CLAMP(area.h * 45 / 100, LAYOUT_LEAST_PANE_H, 20));
  layout->left = cut_left(&below, below.w / 2);
  layout->right = below;
  layout->source = cut_left(&area, area.w / 2);
  layout->middle = area;
}

// PTX stands beside the source where both keep a readable width, else below it.
static void place_code(Rect area, unsigned flags, Layout *layout) {
  if (!(flags & LAYOUT_PTX)) {
    layout->source = area;
    return;
  }
  if (area.w >= 64) layout->ptx = cut_right(&area, area.w / 2);
  else if (area.h >= 2 * LAYOUT_LEAST_PANE_H) layout->ptx = cut_bottom(&area, area.h / 2);
  layout->source = area;
}

static void place_state(Rect area, int warps, bool roomy, unsigned flags, Layout *layout) {
  int least = LAYOUT_LEAST_PANE_H;
  bool panel = flags & LAYOUT_PANEL;
  int share = area.h >= 30 ? 48 : 62;   // a tall window has rows for all three panes
  int some = panel ? LS_MAX(least, area.h * 2 / 5) : LS_MAX(5, area.h * share / 100);
  int lanes = LS_MIN(LS_MAX(warps, 1) + 2, some);
  if (area.h - lanes < least) lanes = panel && area.h >= 2 * least ? area.h - least : area.h;
  layout->lanes = cut_top(&area, lanes);
  if (panel && area.h) {
    layout->panel = area;
    return;
  }
  int memory = roomy && area.h >= 8 ? LS_MAX(least, area.h >= 16 ? area.h / 2 : area.h * 2 / 5) : 0;
  layout->memory = cut_bottom(&area, memory);
  layout->variables = area;
  if (!area.h) layout->variables.w = 0;
}

// The column of lanes: 32 of them, their warp, line and state want 40 columns; the source gets what they leave.
static int state_width(int cols, unsigned flags) {
  int most = flags & LAYOUT_PTX ? 84 : 100;
  int want = flags & LAYOUT_PTX ? 41 + (cols - 80) / 4 : 41 + (cols - 80) * 5 / 8;
  return LS_MIN(LS_CLAMP(want, LAYOUT_LEAST_LANES_W, most), cols - LAYOUT_LEAST_CODE_W);
}

// Most pictures have enough with a dozen rows; the others say what is missing, and z gives them the screen. A list has words to be
// read in full.
static void place_focus(Rect *area, int rows, int h, unsigned flags, Layout *layout) {
  if (flags & LAYOUT_LIST) layout->panel = cut_bottom(area, LS_CLAMP(area->h * 55 / 100, LAYOUT_LEAST_FOCUS_H, 18));
  else layout->focus = cut_bottom(area, h ? h : LS_CLAMP(rows <= 40 ? rows * 3 / 10 : 12 + (rows - 40) / 5, LAYOUT_LEAST_FOCUS_H + 1, 24));
}

static void place_panes(Rect area, int rows, int warps, unsigned flags, Layout *layout) {
  bool roomy = rows >= 30, rail_below = layout->rail.w && layout->rail.w == layout->title.w;
  if (!rail_below) layout->so_far = cut_bottom(&area, roomy ? 3 : rows >= 23 ? 1 : 0);
  place_focus(&area, rows, rail_below ? LS_CLAMP(area.h * 4 / 10, LAYOUT_LEAST_FOCUS_H, 16) : 0, flags, layout);
  Rect state = cut_right(&area, state_width(area.w, flags));
  place_code(area, flags, layout);
  place_state(state, warps, roomy, flags, layout);
}

// A rail beside the explorer would leave the source a quarter of the window, and itself be mostly empty: it stands above the lanes.
static void place_lesson(Rect area, int cols, int rows, int warps, unsigned flags, Layout *layout) {
  bool roomy = rows >= 30;
  Rect right = cut_right(&area, LS_CLAMP(cols / 3, LAYOUT_LEAST_LANES_W, 56));
  layout->rail = cut_top(&right, LS_MAX(right.h * 55 / 100, LAYOUT_LEAST_RAIL_H));
  place_state(right, warps, roomy, flags, layout);
  layout->so_far = cut_bottom(&area, roomy ? 3 : rows >= 23 ? 1 : 0);
  place_focus(&area, rows, 0, flags, layout);
  place_code(area, flags, layout);
}

void layout_compute(int cols, int rows, int warps, unsigned flags, Layout *layout) {
  memset(layout, 0, sizeof *layout);
  if (cols < LAYOUT_LEAST_COLS || rows < LAYOUT_LEAST_ROWS) {
    layout->too_small = true;
    return;
  }
  Rect area = {0, 0, cols, rows};
  layout->title = cut_top(&area, 1);
  layout->footer = cut_bottom(&area, 1);
  layout->bar = cut_bottom(&area, rows >= 30 ? 2 : 1);
  if (flags & LAYOUT_LIST && flags & (LAYOUT_ZOOM | LAYOUT_COMPARE)) flags |= LAYOUT_PANEL;
  if (flags & LAYOUT_ZOOM) {
    if (flags & LAYOUT_PANEL) layout->panel = cut_bottom(&area, LS_CLAMP(area.h / 2, LAYOUT_LEAST_PANE_H, 14));
    layout->focus = area;
    return;
  }
  if (flags & LAYOUT_RAIL && !(flags & LAYOUT_COMPARE) && cols >= FEW_COLS && cols < MANY_COLS) {
    place_lesson(area, cols, rows, warps, flags, layout);
    return;
  }
  if (flags & LAYOUT_RAIL) place_rail(cols, rows, &area, layout);
  if (flags & LAYOUT_COMPARE && flags & LAYOUT_SAME) place_same(area, flags, layout);
  else if (flags & LAYOUT_COMPARE) place_compare(area, flags, layout);
  else place_panes(area, rows, warps, flags, layout);
}
