// difference.h: where two runs of the same code differ: a GPU's and the emulator's, say.
//
// Counters are held against each other line by line; the events of a block warp by warp, since the warps of two runs take
// turns differently: the n-th event of a warp with its instruction, its lanes, and, for memory, the places within the arrays
// (which lie elsewhere on another device). Values are not compared.
#ifndef LS_APP_DIFFERENCE_H
#define LS_APP_DIFFERENCE_H

#include "app/run.h"

enum { DIFFERENCE_LINES = 16, DIFFERENCE_WARPS = 32 };
enum { DIFFERENCE_EVENTS = 1000000 };   // of a block that are compared, at most

// counter: the first one that differs on the line. event: the first one that does, from 1; a pc of -1: the warp has no more.
typedef struct LineDifference { int file, line; CounterId counter; uint64_t left, right; } LineDifference;
typedef struct WarpDifference { bool differs; uint64_t event; int32_t left_pc, right_pc; } WarpDifference;

typedef struct Difference {
  bool same_code;                  // the same instructions and geometry; nothing else is set without
  LineDifference lines[DIFFERENCE_LINES]; int line_count;
  bool block_known;                // both recorded it
  bool cut_short;                  // more events than are compared
  uint64_t events;                 // compared
  int warp_count, differing;
  WarpDifference warps[DIFFERENCE_WARPS];
} Difference;

void difference_of(const Run *left, const Run *right, uint32_t block, Difference *out);

#endif
