// test_layout.c: the panes of the explorer at every size of a window.
#include "check.h"

#include "app/session/session.h"
#include "base/mem.h"

typedef struct Pane { const char *name; Rect rect; int least_w, least_h; } Pane;
enum { PANES = 16 };

// Pictures of all sizes, and texts: the layout is asked for each of them.
typedef struct Wanted { LayoutRoom room; int rail; } Wanted;
static const Wanted wanted[] = {{{0, 0, 0}, 0}, {{5, 6, 8}, 3}, {{6, 12, 16}, 9}, {{8, 14, 90}, 30}, {{7, 7, 30}, 200}};

static LayoutRoom give_room(const void *context, int cols) { return (void)cols, ((const Wanted *)context)->room; }
static int give_rail(const void *context, int cols) { return (void)cols, ((const Wanted *)context)->rail; }

static void compute(int cols, int rows, int warps, unsigned flags, const Wanted *want, Layout *layout) {
  LayoutAsk ask = {.flags = flags, .warps = warps, .variables = 6, .lines = 60, .of_a_line = true, .context = want};
  if (want) ask.room = give_room, ask.rail = give_rail;
  layout_compute(cols, rows, &ask, layout);
}

static void panes_of(const Layout *l, Pane out[PANES]) {
  const Pane panes[PANES] = {
      {"title", l->title, LAYOUT_LEAST_COLS, 1},
      {"source", l->source, LAYOUT_LEAST_CODE_W, 1},
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
      {"other", l->other, LAYOUT_LEAST_SIDE_W, 1},
  };
  memcpy(out, panes, sizeof panes);
}

static bool overlap(Rect a, Rect b) {
  return a.w && b.w && a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

// Counts what is wrong with one layout and names the first of it.
static int faults_of(int cols, int rows, int warps, unsigned flags, const Wanted *want) {
  Layout layout;
  Pane panes[PANES];
  compute(cols, rows, warps, flags, want, &layout);
  panes_of(&layout, panes);
  int least_rows = flags & LAYOUT_STAGE ? LAYOUT_STAGE_ROWS : LAYOUT_LEAST_ROWS;
  int faults = layout.too_small != (cols < LAYOUT_LEAST_COLS || rows < least_rows);
  for (int i = 0; i < PANES; i++) {
    Rect r = panes[i].rect;
    if (r.w == 0) continue;
    bool wrong = layout.too_small || r.x < 0 || r.y < 0 || r.x + r.w > cols || r.y + r.h > rows ||
                 r.w < panes[i].least_w || r.h < panes[i].least_h;
    for (int j = 0; j < i && !wrong; j++) wrong = overlap(r, panes[j].rect);
    if (wrong)
      printf("\n%s at %dx%d, %d warps, flags %u: %d,%d %dx%d", panes[i].name, cols, rows, warps, flags, r.x, r.y, r.w,
             r.h);
    faults += wrong;
  }
  return faults;
}

static void every_size(void) {
  int faults = 0;
  static const int warps[] = {1, 8, 32};
  for (int cols = 50; cols <= 250 && faults < 10; cols += cols < 130 ? 1 : 7)
    for (int rows = 5; rows <= 80; rows++)
      for (unsigned flags = 0; flags < 256; flags++)
        for (int w = 0; w < LS_COUNT(wanted) && faults < 10; w++)
          faults += faults_of(cols, rows, warps[(cols + rows + w) % LS_COUNT(warps)], flags, &wanted[w]);
  CHECK_INT(faults, 0);
}

// What is open is shown: at every size that is large enough the panes that people came for are there.
static void nothing_lost(void) {
  int missing = 0;
  for (int cols = LAYOUT_LEAST_COLS; cols <= 250; cols++)
    for (int rows = LAYOUT_LEAST_ROWS; rows <= 80; rows++)
      for (unsigned flags = 0; flags < 128; flags++) {
        Layout l;
        compute(cols, rows, 8, flags, &wanted[(cols + rows) % LS_COUNT(wanted)], &l);
        bool normal = !(flags & (LAYOUT_ZOOM | LAYOUT_COMPARE));
        missing += !l.title.w || !l.footer.w || !l.bar.w;
        missing += normal && (!l.source.w || (!l.lanes.w && !(flags & LAYOUT_RAIL)));
        missing += normal && (flags & LAYOUT_LIST ? !l.panel.w : !l.focus.w);
        missing += (flags & LAYOUT_ZOOM) && !l.focus.w;
        missing += (flags & LAYOUT_COMPARE) && !(flags & LAYOUT_ZOOM) && (!l.left.w || !l.right.w);
        missing += (flags & ~(LAYOUT_SAME | LAYOUT_PTX)) == LAYOUT_COMPARE && rows >= 24 && !l.middle.w;
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
  compute(120, 36, 8, 0, NULL, &l);
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
  compute(80, 24, 8, 0, NULL, &l);
  CHECK_INT(l.memory.w, 0);
  CHECK(l.source.w >= 38 && l.lanes.w >= 40);
  CHECK(l.variables.h >= 3);
  CHECK_INT(l.bar.h, 1);
  compute(120, 36, 8, LAYOUT_RAIL, &(Wanted){{5, 8, 10}, 18}, &l);
  CHECK_INT(l.rail.x + l.rail.w, 120);
  CHECK_INT(l.rail.y, 1);
  CHECK(l.source.x == 0 && l.source.w >= 72 && l.focus.w == l.source.w && l.rail.h == 18);
  CHECK(l.lanes.x == l.rail.x && l.lanes.y == l.rail.y + l.rail.h);
  compute(200, 60, 8, LAYOUT_RAIL, NULL, &l);
  CHECK(l.source.w >= 56 && l.rail.h > 50 && l.lanes.x < l.rail.x);
  compute(80, 24, 8, LAYOUT_LIST, NULL, &l);
  CHECK(l.panel.w == 80 && l.panel.h >= 10 && l.focus.w == 0 && l.source.h >= 6);
}

// A picture has all that it wants where the window has that; else what it is about, and the source seven rows.
static void picture_first(void) {
  Layout l;
  compute(120, 36, 8, 0, &(Wanted){{5, 9, 14}, 0}, &l);
  CHECK_INT(l.focus.h, 14);
  CHECK_RECT(l.source, 0, 1, 54, 15);
  compute(120, 36, 8, 0, &(Wanted){{5, 12, 40}, 0}, &l);
  CHECK_INT(l.focus.h, 12);
  compute(80, 24, 8, 0, &(Wanted){{5, 8, 12}, 0}, &l);
  CHECK_INT(l.focus.h, 12);
  CHECK(l.source.h == 8 && l.so_far.h == 1 && l.variables.w == 0);
  compute(80, 24, 8, 0, &(Wanted){{5, 13, 40}, 0}, &l);
  CHECK_INT(l.focus.h, 13);
  CHECK(l.source.h == 8 && l.so_far.w == 0);   // totals go first
  compute(80, 24, 8, 0, &(Wanted){{17, 20, 40}, 0}, &l);
  CHECK_INT(l.focus.h, 17);
  CHECK_INT(l.source.h, 4);
}

// A short source leaves the rows that it has no use for to a picture that is cut.
static void spare_rows(void) {
  Layout l;
  Wanted want = {{5, 12, 90}, 0};
  LayoutAsk ask = {.warps = 2, .variables = 3, .lines = 12, .context = &want, .room = give_room};
  layout_compute(200, 60, &ask, &l);
  CHECK(l.source.h >= 13 && l.source.h <= 25 && l.focus.h >= 25);
}

// Rows held from before are kept where nobody lacks them, and no longer.
static void calm(void) {
  Layout l;
  Wanted want = {{5, 8, 9}, 0};
  LayoutAsk ask = {.warps = 8, .variables = 6, .lines = 60, .context = &want, .room = give_room, .held = 15};
  layout_compute(120, 36, &ask, &l);
  CHECK_INT(l.focus.h, 15);
  layout_compute(80, 24, &ask, &l);
  CHECK_INT(l.focus.h, 15);
  CHECK_INT(l.source.h, 6);
  ask.held = 30;
  layout_compute(80, 24, &ask, &l);
  CHECK_INT(l.source.h, 6);
}

// The text of a lesson below the picture: what it needs, if the picture has what it is about; a picture that wants more
// gets what is left, and the source two lines.
static void lesson_below(void) {
  Layout l;
  compute(80, 24, 8, LAYOUT_RAIL, &(Wanted){{5, 8, 10}, 9}, &l);
  CHECK_RECT(l.source, 0, 1, 80, 2);
  CHECK_RECT(l.focus, 0, 3, 80, 10);
  CHECK_RECT(l.rail, 0, 13, 80, 9);
  CHECK_INT(l.lanes.w, 0);
  compute(80, 24, 8, LAYOUT_RAIL, &(Wanted){{5, 8, 10}, 14}, &l);
  CHECK_INT(l.focus.h, 8);
  CHECK_INT(l.rail.h, 11);
  compute(80, 24, 8, LAYOUT_RAIL, &(Wanted){{5, 12, 30}, 20}, &l);
  CHECK_INT(l.focus.h, 12);
  CHECK_INT(l.rail.h, 7);
  compute(80, 24, 8, LAYOUT_RAIL, &(Wanted){{5, 6, 7}, 6}, &l);
  CHECK(l.lanes.w >= 40 && l.source.h == 8 && l.rail.h == 6 && l.focus.h == 7);
}

static void ptx_and_zoom(void) {
  Layout l;
  compute(160, 40, 8, LAYOUT_PTX, NULL, &l);
  CHECK_INT(l.ptx.y, l.source.y);
  CHECK_INT(l.ptx.x, l.source.x + l.source.w);
  compute(80, 24, 8, LAYOUT_PTX, NULL, &l);
  CHECK_INT(l.ptx.x, l.source.x);
  compute(100, 30, 8, LAYOUT_ZOOM, NULL, &l);
  CHECK_RECT(l.source, 0, 1, 100, 1);
  CHECK_RECT(l.focus, 0, 2, 100, 25);
  CHECK_INT(l.lanes.w, 0);
}

// Both pictures have the same room: beside one another where it is wide enough, else one above the other.
static void comparisons(void) {
  Layout l;
  Wanted want = {{5, 6, 7}, 0};
  compute(120, 36, 8, LAYOUT_COMPARE, &want, &l);
  CHECK(l.left.y == l.right.y && l.left.h == l.right.h && l.left.w >= LAYOUT_SIDE_W && l.right.w >= LAYOUT_SIDE_W);
  compute(80, 24, 8, LAYOUT_COMPARE, &want, &l);
  CHECK(l.left.w == 80 && l.right.w == 80 && l.right.y == l.left.y + l.left.h && l.left.h == 8 && l.right.h == 8);
  CHECK(l.source.h == 2 && l.other.h == 2 && l.middle.h == 3);
  compute(80, 24, 8, LAYOUT_COMPARE | LAYOUT_SAME, &want, &l);
  CHECK(l.left.w == 80 && l.left.h == 8 && l.right.h == 8 && l.source.h == 5 && l.middle.h == 5 && !l.other.w);
  compute(100, 30, 8, LAYOUT_COMPARE | LAYOUT_SAME, &want, &l);
  CHECK(l.left.y == l.right.y && l.left.w == 50 && l.left.h >= 8);
}

// Twelve rows of text and a picture have a place in 60x18.
static void stage(void) {
  Layout l;
  compute(60, 18, 8, LAYOUT_STAGE, NULL, &l);
  CHECK_RECT(l.focus, 0, 0, 60, 17);
  CHECK_INT(l.title.w + l.bar.w + l.source.w + l.lanes.w, 0);
  compute(60, 18, 8, LAYOUT_STAGE | LAYOUT_RAIL, &(Wanted){{5, 8, 10}, 7}, &l);
  CHECK_RECT(l.focus, 0, 0, 60, 10);
  CHECK_RECT(l.rail, 0, 10, 60, 7);
  compute(60, 17, 8, LAYOUT_STAGE, NULL, &l);
  CHECK(l.too_small);
}

// Where a line is asked for the source has the room of the picture and of the lanes.
static void a_line_is_asked_for(void) {
  Layout l;
  compute(80, 24, 8, LAYOUT_RAIL | LAYOUT_CODE, &(Wanted){{5, 12, 30}, 8}, &l);
  CHECK_RECT(l.source, 0, 1, 80, 13);
  CHECK_INT(l.focus.w, 0);
  CHECK_INT(l.rail.h, 8);
  compute(120, 36, 8, LAYOUT_RAIL | LAYOUT_CODE, &(Wanted){{5, 12, 30}, 8}, &l);
  CHECK(l.focus.w == 0 && l.source.h > 24 && l.rail.h == 8);
  compute(120, 36, 8, LAYOUT_RAIL | LAYOUT_CODE | LAYOUT_LIST, &(Wanted){{5, 12, 30}, 8}, &l);
  CHECK(l.panel.h > 0);
}

// In a comparison both sources have all of it, one above the other or side by side, and the text what it needs.
static void both_sources(void) {
  Layout l;
  Wanted room = {{5, 12, 30}, 8};
  unsigned both = LAYOUT_RAIL | LAYOUT_CODE | LAYOUT_COMPARE;
  compute(80, 24, 8, both, &room, &l);
  CHECK_RECT(l.source, 0, 1, 80, 6);
  CHECK_RECT(l.other, 0, 7, 80, 7);
  CHECK_RECT(l.rail, 0, 14, 80, 8);
  CHECK_INT(l.left.w + l.right.w + l.middle.w, 0);
  compute(200, 50, 8, both, &room, &l);
  CHECK(l.other.y == l.source.y && l.other.x == l.source.w && l.other.x + l.other.w == l.rail.x);
  compute(80, 24, 8, both | LAYOUT_SAME, &room, &l);   // one source has nothing to stand beside
  CHECK(l.left.w && l.right.w && !l.other.w);
}

static const Check checks[] = {
    {"a line that is asked for is seen among others", a_line_is_asked_for},
    {"both sources of a comparison are seen", both_sources},
    {"panes never overlap, at any size", every_size},
    {"what is open is shown", nothing_lost},
    {"120x36 is like the drawing", like_the_drawing},
    {"80x24 keeps source and lanes", small_window},
    {"the picture first", picture_first},
    {"spare rows go to the picture", spare_rows},
    {"rows are kept from step to step", calm},
    {"a lesson's text below the picture", lesson_below},
    {"ptx beside or below, zoom fills", ptx_and_zoom},
    {"both sides of a comparison", comparisons},
    {"a stage has the picture alone", stage},
};

int main(int argc, char **argv) { return check_main("layout", checks, LS_COUNT(checks), argc, argv); }
