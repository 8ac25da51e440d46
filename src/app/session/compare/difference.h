// difference.h: where two runs of the same code differ: a GPU's and the emulator's, say.
//
// Counters are held against each other line by line; final buffers element by element, where both runs still have them; the
// events of the blocks that both recorded warp by warp, since the warps of two runs take turns differently: the n-th event of a warp
// with its instruction, its lanes, for memory the places within the arrays (which lie elsewhere on another device), and the values
// that atomics and operations between lanes took and gave. A trace tells no values of loads and stores; what was stored shows in the
// buffers.
//
// What an atomic finds depends on who was there before: old values are compared where one lane of one warp alone uses the place, and
// counted as a matter of order else. Where lanes of a warp are apart, they run in other groups: from there on it is lane by lane that
// the warp is compared, as a whole. A warp that comes to another instruction goes another way: it is not compared from there on.
#ifndef LS_APP_DIFFERENCE_H
#define LS_APP_DIFFERENCE_H

#include "app/run/run.h"

typedef enum DifferenceKind {
#define DIFFERENCE(NAME, ...) DIFFERENCE_##NAME,
#include "app/session/compare/difference.def"
#undef DIFFERENCE
  DIFFERENCE_KIND_COUNT
} DifferenceKind;
const char *difference_name(DifferenceKind kind);   // "another value"

enum { DIFFERENCE_LINES = 64, DIFFERENCE_WARPS = 32 };
enum { DIFFERENCE_EVENTS = 2000000, DIFFERENCE_ITEMS = 100000 };   // compared in a block, and kept, at most

// counter: the first one that differs on the line.
typedef struct LineDifference { int file, line; CounterId counter; uint64_t left, right; } LineDifference;
// An event that is not the same. A pc of -1: the warp has no more; left is its last step then, right UINT64_MAX. event: number
// among those of its warp, from 1.
typedef struct EventDifference {
  uint64_t left, right, event;     // steps
  int32_t left_pc, right_pc;
  uint32_t block; uint8_t warp, kind;
  bool grouped;                    // from here on the lanes run in other groups, and come to other places or values
  bool after_order;                // an old value that is a matter of order differed in this warp before
} EventDifference;
// A buffer: element `first` is the first of `count` that differ, in bits.
typedef struct BufferDifference { int arg; uint64_t elements, count, first, left, right; } BufferDifference;

typedef struct Difference {
  bool same_code;                  // the same instructions and geometry; nothing else is set without
  bool done;                       // all below is known
  LineDifference lines[DIFFERENCE_LINES]; int line_count;
  int blocks;                      // that both recorded, and how many of them are compared
  int compared;
  bool cut_short;                  // there are more events than are compared, or more differences than are kept
  uint64_t events;                 // compared
  int regrouped;                   // warps of a block whose lanes run in other groups, and go the same way
  uint64_t order;                  // atomics whose old values differ as a matter of order
  EventDifference *items; int item_count, item_capacity;   // by left step
  uint64_t counts[DIFFERENCE_KIND_COUNT];
  uint64_t ordered;                // of these after an atomic that found another value in the same warp
  BufferDifference *buffers; int buffer_count, buffers_differing;   // those that both have; 0: not known
  struct DifferenceWork *work;
} Difference;

void difference_begin(Difference *d, const Run *left, const Run *right);
// Goes on for about so many seconds (0: to the end). False once everything is known.
bool difference_advance(Difference *d, const Run *left, const Run *right, double seconds);
void difference_free(Difference *d);

// The next item after a left step, or the one before it (dir -1); -1: none. The item at a left step; -1.
int difference_next(const Difference *d, uint64_t step, int dir);
int difference_at(const Difference *d, uint64_t step);

// What differs at an item: "lane 3: 1.5 (0x3fc00000) here, 1.25 (0x3fa00000) there".
void difference_words(const Run *left, const Run *right, const EventDifference *item, LsText *out);
// "3 of 1,024 elements of y differ, first [17]: 1.5 (0x3fc00000) here, 1.25 (0x3fa00000) there".
void difference_buffer_words(const Run *left, const BufferDifference *buffer, LsText *out);

#endif
