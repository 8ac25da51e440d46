// layout.h: where every pane stands: a pure function of the window, of what is open, and of the room that panes ask
// for.
//
// The picture of the focus pane comes first. It gets all the rows that it wants where the window has them, else enough
// for what it is about; then come the source (LAYOUT_CODE_H, down to LAYOUT_LINE_H), the lanes, the variables, the
// memory, and what was so far. In a small window memory and variables go first, then the lanes shrink to the chosen
// warp.
//
// Stepping does not make panes jump: a picture keeps its rows over plain instructions, which show the same picture. The
// pane never has less than its usual share, in which most pictures fit. It grows when one needs more, and gives rows
// back when a quarter of them was of no use for LAYOUT_PATIENCE pictures one after the other, or when the window
// changes (LayoutHeld): pictures that take turns in a loop do not move anything.
#ifndef LS_APP_LAYOUT_H
#define LS_APP_LAYOUT_H

#include <stdbool.h>

// Every rectangle includes the row of its rule. Those shown lie inside the window and never overlap.
//
//   120 x 36               120 x 36 with a rail       80 x 24                     80 x 24 with a lesson's rail
//
//   title                  title                      title                       title
//   source | lanes         source        | rail       source   | lanes            lines of source, without a rule
//          | variables                   |            focus                       focus
//          | memory                      | lanes      so far, without its rule    rail
//   focus                  focus         | variables  bar                         bar
//   so far                 so far        | memory     footer                      footer
//   bar                    bar
//   footer                 footer
//
// Where the source is what one looks at (LAYOUT_CODE: a line of it is asked for), it has the room of
// picture and lanes, too; in a comparison both sources share it.
// From 160 columns on the rail stands beside all that. A list takes the place of the focus pane. Enlarged, the picture
// has all but a line of source; on a stage it has everything.
typedef struct Rect { int x, y, w, h; } Rect;
typedef struct Layout {
  bool too_small;                    // under 60x20, on a stage 60x18: only a message
  Rect title, source, ptx, lanes, variables, memory, focus, so_far, bar, footer, rail, panel;  // w == 0: not shown
  // Comparison: two pictures, each below the name of its run, source and other, and totals in the middle. With SAME the
  // source stands once, beside what differs (middle). In a window with less than LAYOUT_SIDE_W columns for each the
  // pictures stand one above the other.
  Rect left, right, other, middle;
} Layout;
enum { LAYOUT_RAIL = 1, LAYOUT_COMPARE = 2, LAYOUT_ZOOM = 4, LAYOUT_PTX = 8, LAYOUT_PANEL = 16, LAYOUT_SAME = 32,
       LAYOUT_LIST = 64, LAYOUT_STAGE = 128, LAYOUT_CODE = 256 };
// The least that a pane has when it is shown at all. A source without a rule may have a single row (LAYOUT_LINE_H:
// two).
enum { LAYOUT_LEAST_COLS = 60, LAYOUT_LEAST_ROWS = 20, LAYOUT_STAGE_ROWS = 18, LAYOUT_LEAST_CODE_W = 18,
       LAYOUT_LEAST_LANES_W = 40, LAYOUT_LEAST_SIDE_W = 18, LAYOUT_SIDE_W = 44, LAYOUT_LEAST_PANE_H = 3,
       LAYOUT_LEAST_FOCUS_H = 5, LAYOUT_LEAST_RAIL_H = 6, LAYOUT_CODE_H = 8, LAYOUT_LINE_H = 2,
       LAYOUT_RULE_H = 6 };   // a source has a rule from LAYOUT_RULE_H rows on

// Rows of the focus pane: those that a picture wants, sentence and rule included.
typedef struct LayoutRoom { int least, good, whole; } LayoutRoom;
// What the panes ask for. The functions are given columns; NULL: a usual share.
typedef struct LayoutAsk {
  unsigned flags;
  int warps;                         // of the block
  int variables;                     // of the warp; negative: not known
  int lines;                         // of the source; 0: not known
  bool of_a_line;                    // the picture is about a line of the source, which is shown above an enlarged one
  const void *context;               // of these:
  LayoutRoom (*room)(const void *context, int cols);   // of the picture; in a comparison of the one that wants more
  int (*rail)(const void *context, int cols);          // rows of a lesson's text, its rule included
  int held;                          // rows that the focus pane should keep if nobody lacks them; 0: none
} LayoutAsk;
void layout_compute(int cols, int rows, const LayoutAsk *ask, Layout *layout);

// What the focus pane was last time: how many rows, in which window, at which step, and for how many pictures more they
// may be of no use.
enum { LAYOUT_PATIENCE = 6, LAYOUT_FAR = 256 };   // a jump of more steps keeps nothing
typedef struct LayoutHeld { int rows, cols, window_rows, rail, left; unsigned flags;
                           unsigned long long step; } LayoutHeld;

#endif
