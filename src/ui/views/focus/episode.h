// episode.h: what a warp ran from the branch that parted its lanes to where they are all together again. Private to the
// view of divergence.
//
//   row 0        all lanes: the branch
//   row 1 ...    lanes apart: a row for each line that lanes run, or for each set of lanes
//   last row     all lanes again
#ifndef LS_UI_EPISODE_H
#define LS_UI_EPISODE_H

#include "ui/views/focus/focus.h"

enum { EPISODE_ROWS = 256 };

// Instructions in a row by the same lanes, of one line; of a set of lanes, its innermost line. Rounds of a loop are one
// row.
typedef struct EpisodeRow { int line, pc, times; uint32_t active; } EpisodeRow;

typedef struct Episode {
  EpisodeRow rows[EPISODE_ROWS];
  int count, now;                  // now: the row of the cursor, -1: none of these
  uint64_t present; int present_pc;   // of the warp's event at or before the cursor: its step
  uint64_t instructions, lanes;    // lanes: active ones, summed over instructions
  uint32_t live;                   // lanes at its beginning
  bool parted;                     // false: no lanes have parted yet, these are the last lines that ran
  bool ended;                      // all lanes that are left are together in the last row, or have ended
  bool begun_earlier, too_long;    // rows are missing before the first, behind the last
} Episode;

// The episode of the session's warp at the cursor; between episodes, the last one. Sets focus->event to a branch of it.
void episode_find(Focus *focus, Episode *out);
// The same with one row for each set of lanes.
void episode_fold(Session *session, const Episode *of, Episode *out);
// Columns by which the source indents a line of the file at the cursor, 0 if nobody knows.
int episode_indent(Session *session, int line);

#endif
