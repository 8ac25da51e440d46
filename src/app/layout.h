// layout.h: where every pane stands: a pure function of the window and what is open.
#ifndef LS_APP_LAYOUT_H
#define LS_APP_LAYOUT_H

#include <stdbool.h>

// Every rectangle includes the row of its rule. Those shown lie inside the window and never overlap.
//
//   120 x 36               120 x 36 with a rail       80 x 24                     80 x 24 with a lesson's rail
//
//   title                  title                      title                       title
//   source | lanes         source        | rail       source   | lanes            source   | lanes
//          | variables                   |                     | variables        focus
//          | memory                      | lanes      focus                       rail
//   focus                  focus         | variables  so far, without its rule    bar
//   so far                 so far        | memory     bar                         footer
//   bar                    bar                        footer
//   footer                 footer
//
// From 160 columns on the rail stands beside all that. A list takes the place of the focus pane.
typedef struct Rect { int x, y, w, h; } Rect;
typedef struct Layout {
  bool too_small;                    // under 60x20: only a message
  Rect title, source, ptx, lanes, variables, memory, focus, so_far, bar, footer, rail, panel;  // w == 0: not shown
  Rect left, middle, right;          // comparison: two sources with their pictures, totals between them. With SAME the source
                                     // stands once, above, beside what differs (middle), and the two pictures below
} Layout;
enum { LAYOUT_RAIL = 1, LAYOUT_COMPARE = 2, LAYOUT_ZOOM = 4, LAYOUT_PTX = 8, LAYOUT_PANEL = 16, LAYOUT_SAME = 32, LAYOUT_LIST = 64 };
// The least that a pane has when it is shown at all.
enum { LAYOUT_LEAST_COLS = 60, LAYOUT_LEAST_ROWS = 20, LAYOUT_LEAST_CODE_W = 18, LAYOUT_LEAST_LANES_W = 40,
       LAYOUT_LEAST_SIDE_W = 18, LAYOUT_LEAST_PANE_H = 3, LAYOUT_LEAST_FOCUS_H = 5, LAYOUT_LEAST_RAIL_H = 6 };
void layout_compute(int cols, int rows, int warps, unsigned flags, Layout *layout);

#endif
