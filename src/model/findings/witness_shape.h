// witness_shape.h: the accesses of a site as shapes: those that differ only in where they lie are one.
//
// A shape may be moved by as much as changes nothing of its cost: by 128 bytes in shared memory, else by a sector.
// The first WITNESS_SHAPES of a site are kept with their addresses, the others are measured and counted
// (WitnessSite.unshaped).
#ifndef LS_MODEL_WITNESS_SHAPE_H
#define LS_MODEL_WITNESS_SHAPE_H

#include "model/findings/witness.h"

void witness_take_shape(WitnessSite *site, const TraceEvent *event);   // an access with addresses, of a lane at least

#endif
