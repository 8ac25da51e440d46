// segments.h: the pane of lines and sectors is two files: the plan of the pane, and the rows of lines. Private to them.
//
// In full, a word has two columns or four (a byte each), and the lanes that want it are written over it:
//                sector 0          sector 1          sector 2          sector 3
//   x + 0x0a00  │░░█0█1█2█3█4█5█6 │█7█8█910...      │...              │...              │ 4 of 4
// In a narrow pane two sectors stand below the others. Where many lines are touched, a word has one column; or a sector
// three, its first lane and a bar whose height tells how much of it is used; or only the bar.
#ifndef LS_UI_SEGMENTS_H
#define LS_UI_SEGMENTS_H

#include "model/model.h"
#include "ui/views/focus/focus.h"

enum { SEG_WORDS = 32, SEG_SECTORS = 4, SEG_SECTOR_WORDS = 8, SEG_WORD_BYTES = 4 };
typedef enum SegDetail { SEG_FULL, SEG_BY_WORD, SEG_BY_LANE, SEG_BARS, SEG_DETAIL_COUNT } SegDetail;

typedef struct Segments {
  const Focus *focus;
  Coalescing all;            // what moves
  uint32_t outside;          // lanes outside of their array: their bytes are not used
  const TraceObject *object; // the array that they are outside of, or NULL
  bool refused;              // and so the kernel ended: nothing moves
  bool whole_lines;          // the Fermi view
  int parts, part[COAL_MAX_LINES];   // what moves one after another; the first of a line
  int period;                // lines repeat after so many, with lanes moved on; 0: they do not
  SegDetail detail;
  int word, pitch;           // full: columns of a word, of a sector with its edge
  int beside, tall;          // full: sectors beside one another, all four or two; rows of a line by that, else 1
  int height, step;          // full: rows of a cell; all: rows from one line to the next
  int label, entry, across;  // columns of the address, of a line with its label; lines side by side
} Segments;

// One line, at its label's column.
void segment_draw(const Segments *s, int line, int x, int y);
// The address of a line, or of a byte in it, in so many columns.
void segment_label(const Segments *s, int line, int byte, int width, LsText *out);
// How far a sector of a line has come (focus_part).
double segment_arrived(const Segments *s, int line, int sector);
bool segment_moves(const Segments *s, int line, int sector);
// Bytes of a line, from the first on, that lanes inside of their array want.
int segment_used(const Segments *s, int line, int first, int count);

#endif
