// walk.h: what one warp of a run does, source line by source line: which lanes work on each, and in which order.
//
//    line 11   if (foo) {                       ████████████████████████████████
//    line 14       value = value * 3 + 1;       ████████████████░░░░░░░░░░░░░░░░
#ifndef LS_APP_WALK_H
#define LS_APP_WALK_H

#include "app/session/session.h"

enum { WALK_LINES = 32, WALK_STEPS = 256 };
typedef struct WalkLine { int line; char *text; } WalkLine;        // text: no comment, no common indent
typedef struct WalkStep { int at; uint32_t active; } WalkStep;     // at: index of the line

typedef struct Walk {
  WalkLine lines[WALK_LINES]; int line_count;    // those that say something, in the order of the source
  WalkStep steps[WALK_STEPS]; int count;         // in the order of time; lanes that go on at their line make no new one
  uint32_t live;                                 // lanes that there are
  uint64_t instructions, partly;                 // of these lines: all, and those for which a part of the lanes waited
} Walk;

// Of warp 0 of block 0, from this line of its source on. False if it never gets there.
bool walk_new(Session *session, int from, Walk *walk);
void walk_free(Walk *walk);

#endif
