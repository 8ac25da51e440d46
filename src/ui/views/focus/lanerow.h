// lanerow.h: rows with one column per lane: numbers, blocks of color, values. Private to the views of the warp.
//
//   lane      0  1  2  3 ...        one to six columns per lane, by the width of the pane
//   value    31 30 29 28 ...        values that are too wide stand in two rows or more by turns
//   group    ██ ██ ██ ██ ...
//
// With two columns numbers of two digits stand by turns, too. Where one row is all there is they touch: every other
// lane has a ground of its own.
#ifndef LS_UI_LANEROW_H
#define LS_UI_LANEROW_H

#include "ui/views/focus/focus.h"

typedef struct LaneRow {
  Canvas *canvas;
  int label_x, x, pitch;     // lane 0 begins at x
  int end;                   // first column behind the pane
  int lane;                  // inspected, -1
} LaneRow;

void lanerow_init(LaneRow *row, const Focus *focus);
int lanerow_column(const LaneRow *row, int lane);   // where the number of a lane ends
void lanerow_label(const LaneRow *row, int y, Role role, const char *text);
void lanerow_header(const LaneRow *row, int y);
// A glyph in the columns of every lane of a mask.
void lanerow_blocks(const LaneRow *row, int y, uint32_t mask, uint32_t code, Role role);
// A short text in a filled cell.
void lanerow_cell(const LaneRow *row, int y, int lane, Role role, const char *text);

// How bits are written: PtxDwKind and bytes. digits: of a float, where room is short; unit: whole numbers as "12k".
typedef struct LaneFormat { uint8_t kind; int size; bool hex; int digits; bool unit; } LaneFormat;
// How the values of a register are meant: by its declared type, else by what the code around does with it.
LaneFormat lanerow_format(const Session *session, const TraceEvent *event);

// How the values of 32 lanes stand in rows. Folded: so many lanes across, every row with the number of its first lane.
typedef enum LaneMode { LANES_BY_TURNS, LANES_FOLDED, LANES_IN_WORDS } LaneMode;
typedef struct LaneFit {
  const uint64_t *bits;      // [32], borrowed
  uint32_t mask;             // lanes that have a value
  LaneFormat format;
  LaneMode mode;
  int rows, across;
  bool rounded;              // digits are left out
} LaneFit;
// Into at most so many rows. Floats lose digits first, whole numbers get units, then rows fold, and the last resort is
// one row of words: the value that all have, a series, or as many values as fit, with the others counted.
void lanerow_fit(const LaneRow *row, LaneFormat format, const uint64_t bits[32], uint32_t mask, int most, LaneFit *fit);
// The values of the lanes `shown`, in their roles (NULL: text). Lanes without a value are a dot.
void lanerow_values(const LaneRow *row, int y, const LaneFit *fit, uint32_t shown, const Role roles[32]);
void lanerow_value_text(const LaneFit *fit, int lane, LsText *out);   // one of them

#endif
