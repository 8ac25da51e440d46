// test_layout.c: the panes of the explorer at every size of a window.
#include "check.h"

#include "app/session/session.h"
#include "base/mem.h"

typedef struct Pane { const char *name; Rect rect; int least_w, least_h; } Pane;
enum { PANES = 15 };

static void panes_of(const Layout *l, Pane out[PANES]) {
  const Pane panes[PANES] = {
      {"title", l->title, LAYOUT_LEAST_COLS, 1},
      {"source", l->source, LAYOUT_LEAST_CODE_W, LAYOUT_LEAST_PANE_H},
      {"ptx", l->ptx, LAYOUT_LEAST_CODE_W, LAYOUT_LEAST_PANE_H},
      {"lanes", l->lanes, LAYOUT_LEAST_LANES_W, LAYOUT_LEAST_PANE_H},
      {"variables", l->variables, LAYOUT_LEAST_LANES_W, LAYOUT_LEAST_PANE_H},
      {"memory", l->memory, LAYOUT_LEAST_LANES_W, LAYOUT_LEAST_PANE_H},
      {"focus", l->focus, LAYOUT_LEAST_COLS, LAYOUT_LEAST_FOCUS_H},
      {"so far", l->so_far, LAYOUT_LEAST_COLS, 1},
      {"bar", l->bar, LAYOUT_LEAST_COLS, 1},
      {"footer", l->footer, LAYOUT_LEAST_COLS, 1},
      {"rail", l->rail, 38, LAYOUT_LEAST_RAIL_H},
      {"panel", l->panel, LAYOUT_LEAST_LANES_W, LAYOUT_LEAST_PANE_H},
      {"left", l->left, LAYOUT_LEAST_SIDE_W, LAYOUT_LEAST_PANE_H},
      {"middle", l->middle, LAYOUT_LEAST_SIDE_W, LAYOUT_LEAST_PANE_H},
      {"right", l->right, LAYOUT_LEAST_SIDE_W, LAYOUT_LEAST_PANE_H},
  };
  memcpy(out, panes, sizeof panes);
}

static bool overlap(Rect a, Rect b) {
  return a.w && b.w && a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

// Counts what is wrong with one layout and names the first of it.
static int faults_of(int cols, int rows, int warps, unsigned flags) {
  Layout layout;
  Pane panes[PANES];
  layout_compute(cols, rows, warps, flags, &layout);
  panes_of(&layout, panes);
  int faults = layout.too_small != (cols < LAYOUT_LEAST_COLS || rows < LAYOUT_LEAST_ROWS);
  for (int i = 0; i < PANES; i++) {
    Rect r = panes[i].rect;
    if (r.w == 0) continue;
    bool wrong = layout.too_small || r.x < 0 || r.y < 0 || r.x + r.w > cols || r.y + r.h > rows ||
                 r.w < panes[i].least_w || r.h < panes[i].least_h;
    for (int j = 0; j < i && !wrong; j++) wrong = overlap(r, panes[j].rect);
    if (wrong)
      printf("\n%s at %dx%d, %d warps, flags %u: %d,%d %dx%d", panes[i].name, cols, rows, warps, flags, r.x, r.y, r.w, r.h);
    faults += wrong;
  }
  return faults;
}

static void every_size(void) {
  int faults = 0;
  static const int warps[] = {1, 8, 32};
  for (int cols = 20; cols <= 250 && faults < 10; cols++)
    for (int rows = 5; rows <= 80; rows++)
      for (unsigned flags = 0; flags < 128; flags++)
        for (int w = 0; w < LS_COUNT(warps) && faults < 10; w++) faults += faults_of(cols, rows, warps[w], flags);
  CHECK_INT(faults, 0);
}

// What is open is shown: at every size that is large enough the panes that people came for are there.
static void nothing_lost(void) {
  int missing = 0;
  for (int cols = LAYOUT_LEAST_COLS; cols <= 250; cols++)
    for (int rows = LAYOUT_LEAST_ROWS; rows <= 80; rows++)
      for (unsigned flags = 0; flags < 128; flags++) {
        Layout l;
        layout_compute(cols, rows, 8, flags, &l);
        bool normal = !(flags & (LAYOUT_ZOOM | LAYOUT_COMPARE));
        missing += !l.title.w || !l.footer.w || !l.bar.w;
        missing += normal && (!l.source.w || !l.lanes.w);
        missing += normal && (flags & LAYOUT_LIST ? !l.panel.w : !l.focus.w);
        missing += (flags & LAYOUT_ZOOM) && !l.focus.w;
        missing += (flags & LAYOUT_COMPARE) && !(flags & LAYOUT_ZOOM) && (!l.left.w || !l.middle.w || !l.right.w);
        missing += (flags & LAYOUT_RAIL) && !(flags & LAYOUT_ZOOM) && !l.rail.w;
        if (rows >= 24 && normal) missing += (flags & LAYOUT_PTX) && !l.ptx.w;
        if (rows >= 24 && normal && !(flags & LAYOUT_RAIL)) missing += (flags & LAYOUT_PANEL) && !l.panel.w;
      }
  CHECK_INT(missing, 0);
}

#define CHECK_RECT(rect, X, Y, W, H) \
  do {                               \
    CHECK_INT((rect).x, X);          \
    CHECK_INT((rect).y, Y);          \
    CHECK_INT((rect).w, W);          \
    CHECK_INT((rect).h, H);          \
  } while (0)

static void like_the_drawing(void) {
  Layout l;
  layout_compute(120, 36, 8, 0, &l);
  CHECK_RECT(l.title, 0, 0, 120, 1);
  CHECK_RECT(l.source, 0, 1, 54, 19);
  CHECK_RECT(l.lanes, 54, 1, 66, 10);
  CHECK_RECT(l.variables, 54, 11, 66, 6);
  CHECK_RECT(l.memory, 54, 17, 66, 3);
  CHECK_RECT(l.focus, 0, 20, 120, 10);
  CHECK_RECT(l.so_far, 0, 30, 120, 3);
  CHECK_RECT(l.bar, 0, 33, 120, 2);
  CHECK_RECT(l.footer, 0, 35, 120, 1);
  CHECK_INT(l.rail.w, 0);
  CHECK_INT(l.panel.w, 0);
}

static void small_window(void) {
  Layout l;
  layout_compute(80, 24, 8, 0, &l);
  CHECK_INT(l.memory.w, 0);
  CHECK(l.source.w >= 38 && l.lanes.w >= 40);
  CHECK(l.variables.h >= 3);
  CHECK_INT(l.bar.h, 1);
  layout_compute(80, 24, 8, LAYOUT_RAIL, &l);
  CHECK_INT(l.rail.w, 80);
  CHECK(l.rail.y > l.focus.y);
  CHECK(l.source.h >= 5);
  layout_compute(120, 36, 8, LAYOUT_RAIL, &l);
  CHECK_INT(l.rail.x + l.rail.w, 120);
  CHECK_INT(l.rail.y, 1);
  CHECK(l.source.x == 0 && l.source.w >= 72 && l.focus.w == l.source.w && l.rail.h >= 16);
  CHECK(l.lanes.x == l.rail.x && l.lanes.y == l.rail.y + l.rail.h);
  layout_compute(200, 60, 8, LAYOUT_RAIL, &l);
  CHECK(l.source.w >= 56 && l.rail.h > 50 && l.lanes.x < l.rail.x);
  layout_compute(80, 24, 8, LAYOUT_LIST, &l);
  CHECK(l.panel.w == 80 && l.panel.h >= 10 && l.focus.w == 0 && l.source.h >= 6);
}

static void ptx_and_zoom(void) {
  Layout l;
  layout_compute(160, 40, 8, LAYOUT_PTX, &l);
  CHECK_INT(l.ptx.y, l.source.y);
  CHECK_INT(l.ptx.x, l.source.x + l.source.w);
  layout_compute(80, 24, 8, LAYOUT_PTX, &l);
  CHECK_INT(l.ptx.x, l.source.x);
  layout_compute(100, 30, 8, LAYOUT_ZOOM, &l);
  CHECK_RECT(l.focus, 0, 1, 100, 26);
  CHECK_INT(l.source.w + l.lanes.w, 0);
}

static const Check checks[] = {
    {"panes never overlap, at any size", every_size},
    {"what is open is shown", nothing_lost},
    {"120x36 is like the drawing", like_the_drawing},
    {"80x24 keeps source and lanes", small_window},
    {"ptx beside or below, zoom fills", ptx_and_zoom},
};

int main(int argc, char **argv) { return check_main("layout", checks, LS_COUNT(checks), argc, argv); }
