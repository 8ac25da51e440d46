// bounds.h: which lanes of an access are outside of the array that is meant.
//
// Only accesses at an instruction that has an out_of_bounds fault are looked at, so lanes are told apart by what the
// run found. The fault is told once in a block; every later access there is held against the same array, by the
// addresses that it has.
#ifndef LS_MODEL_BOUNDS_H
#define LS_MODEL_BOUNDS_H

#include "trace/trace.h"

typedef struct Bounds {
  uint32_t outside;            // lanes of the event's mask, 0 if all are where they should be
  const TraceObject *object;   // the array that is meant, borrowed from info; NULL: nobody knows
  bool refused;                // the kernel ended with this access, so nothing moved; else other arrays' bytes did
} Bounds;

// info and faults are those of the run; events without addresses have nobody outside.
Bounds bounds_of(const TraceInfo *info, const TraceFault *faults, int fault_count, const TraceEvent *event);

// The event with nobody but the lanes that are inside: for pictures and counts of what is used.
static inline TraceEvent bounds_inside(const TraceEvent *event, const Bounds *bounds) {
  TraceEvent inside = *event;
  inside.mask &= ~bounds->outside;
  return inside;
}

#endif
