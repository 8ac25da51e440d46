// waveview.h: the window that the pane of waves opens on a chart of blocks: which SMs are its rows, which times its columns.
//
// The cursor is a block. The window goes where the block is: zooming, and going from block to block, is all there is to
// panning. A pure function of session and rectangle, for the view that draws it and for clicks into it.
//
//   rect.y      ── rule ───────────────────────────────
//   + 1          time   0         1 µs        2 µs
//   chart.y      SM 0-1 ████████████▀▀▀▀▀▀▀▀████████░░░
//                SM 2-3 ...
#ifndef LS_APP_WAVEVIEW_H
#define LS_APP_WAVEVIEW_H

#include "app/layout.h"
#include "base/text.h"
#include "model/wavechart.h"

typedef enum WaveRows {
  WAVES_ALL,        // all SMs fit: where there are many, two groups of SMs to a row, one in its upper half and one in its lower
  WAVES_SM,         // an SM to a row
  WAVES_SLOT,       // a slot to a row: every block by itself
  WAVES_ROWS_COUNT
} WaveRows;

// What the session keeps.
typedef struct SesWaves {
  WaveRows rows;
  int zoom;               // time: 2^zoom times as wide as the window
  int64_t block;          // the cursor; -1: the block that the explorer shows
} SesWaves;

enum { WAVES_LABEL_W = 14, WAVES_MOST_ZOOM = 24 };

typedef struct WaveView {
  const WaveChart *chart; // span 0: there is nothing to show
  Rect cells;             // of the blocks
  WaveRows rows;
  bool halves;            // a row shows two groups, above one another
  int group;              // SMs of a group (WAVES_SLOT: 1)
  int groups;             // in all: groups of SMs, or slots
  int top;                // first group shown
  uint64_t left, width;   // time of the first column, and of all of them
  bool has_cursor;
  int cursor_row;         // of the chart
  WaveBlock cursor;
} WaveView;

// shown: the block that the explorer shows.
void waveview_place(const WaveChart *chart, const SesWaves *waves, uint32_t shown, Rect rect, WaveView *view);
// How the screen is shared between picture and words while the pane has the keys.
void waveview_split(Rect rect, Rect *picture, Rect *words);
// Rows of the chart that a group covers: first, and how many.
int waveview_first(const WaveView *view, int group, int *count);
// Time at which a column begins.
uint64_t waveview_time(const WaveView *view, int column);

void waveview_time_text(const WaveChart *chart, uint64_t time, char *out, size_t size);   // "1.28 µs"; computed: waves
void waveview_words(const WaveChart *chart, LsText *out);                                   // what the whole chart shows

#endif
