// lanerow.h: rows with one column per lane: numbers, values, blocks of color. Private to the views of the warp.
//
//   lane      0  1  2  3 ...        three columns per lane, two or one where the window is narrow
//   value    31 30 29 28 ...        values that are too wide stand in two rows or more by turns
//   group    ██ ██ ██ ██ ...
#ifndef LS_UI_LANEROW_H
#define LS_UI_LANEROW_H

#include "ui/views/focus/focus.h"

typedef struct LaneRow {
  Canvas *canvas;
  int label_x, x, pitch;     // lane 0 has columns x and x + 1, or x alone if there is one column per lane
  int end;                   // first column behind the pane
  int lane;                  // inspected, -1
} LaneRow;

// How bits are written: PtxDwKind and bytes. digits: of a float, where room is short; 0: as everywhere.
typedef struct LaneFormat { uint8_t kind; int size; bool hex; int digits; } LaneFormat;

void lanerow_init(LaneRow *row, const Focus *focus);
void lanerow_label(const LaneRow *row, int y, Role role, const char *text);
void lanerow_header(const LaneRow *row, int y);
// Rows that the values of the lanes of a mask take, of `most`; floats lose digits before values become a list in a row.
int lanerow_fit(const LaneRow *row, LaneFormat *format, const uint64_t bits[32], uint32_t mask, int most);
// The values in the rows that lanerow_fit told; lanes of `dim` are dim.
void lanerow_values(const LaneRow *row, int y, int rows, LaneFormat format, const uint64_t bits[32], uint32_t mask, uint32_t dim);
// Two columns of a glyph for every lane of a mask.
void lanerow_blocks(const LaneRow *row, int y, uint32_t mask, uint32_t code, Role role);
// A number in a filled cell.
void lanerow_cell(const LaneRow *row, int y, int lane, Role role, const char *text);
// How the values of a register are meant: by its declared type, else by what the code around does with it.
LaneFormat lanerow_format(const Session *session, const TraceEvent *event);

#endif
