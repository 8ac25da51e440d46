// cure_parts.h: what the files share that find the cure of a cause.
#ifndef LS_MODEL_CURE_PARTS_H
#define LS_MODEL_CURE_PARTS_H

#include "base/text.h"
#include "model/causes/cause.h"
#include "model/causes/flow.h"

typedef struct CureOf {
  const PtxModule *module;
  const TraceInfo *info;
  const TraceFault *faults; int count;
  Flow *flow;
} CureOf;

// How far apart the two of a race are.
typedef enum Reach { REACH_LANES, REACH_WARPS, REACH_BLOCKS } Reach;
static inline Reach reach_of(const TraceFault *f) {
  if (f->block != f->other_block) return REACH_BLOCKS;
  return f->thread / 32 == f->other_thread / 32 ? REACH_LANES : REACH_WARPS;
}

// Of a read in shared memory that another warp made before the write, the emulator knows the line, but not which
// instruction.
bool race_is_exact(const CureOf *of, const TraceFault *f);

// Each fills cure, line, other_line and carried of a cause with its witness and members, and writes the advice.
void cure_race(const CureOf *of, Cause *cause, LsText *out);
void cure_bounds(const CureOf *of, Cause *cause, LsText *out);
void cure_uninitialized(const CureOf *of, Cause *cause, LsText *out);
void cure_barrier(const CureOf *of, Cause *cause, LsText *out);
void cure_mask(const CureOf *of, Cause *cause, LsText *out);
void cure_stuck(const CureOf *of, Cause *cause, LsText *out);

// A cause that waits, merged with others: the lines between which one barrier does for all.
void cure_between(const CureOf *of, Cause *cause, int line, int other_line);

void cure_at(const CureOf *of, Cause *cause, CureKind kind, int pc);   // the cure goes to the line of pc
void add_line(const CureOf *of, int pc, LsText *out);                  // "line 12"
const char *array_name(const CureOf *of, const TraceFault *f);         // "s"; "it" if it has no name

#endif
