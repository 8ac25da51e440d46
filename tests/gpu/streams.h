// streams.h: what every warp of the recorded blocks did, in order, in a form in which two devices can be compared.
//
// Addresses of global memory become "byte 12 of that buffer". The order of warps among each other is left out: how many
// had come to a barrier, and what an atomic found, is not compared.
#ifndef LS_TESTS_GPU_STREAMS_H
#define LS_TESTS_GPU_STREAMS_H

#include "trace/trace.h"

typedef struct StreamEvent { int32_t pc; uint8_t kind; uint32_t active, mask; uint64_t hash; } StreamEvent;

typedef struct Stream {          // of one warp
  StreamEvent *events; int count, capacity;
  uint64_t lanes[32];            // the same as each lane alone saw it, whoever ran with it
} Stream;

// A sink. The info's objects must be those of the device that pushes.
typedef struct Streams {
  TraceSink sink;
  const TraceInfo *info;         // borrowed
  uint32_t warps, blocks;        // per block; of the grid
  Stream **of_block;             // NULL: not recorded
} Streams;
void streams_init(Streams *streams, const TraceInfo *info, const Launch *launch);
void streams_fini(Streams *streams);

typedef struct StreamsCompared {
  uint64_t warps, equal;         // of the recorded blocks; event for event
  uint64_t equal_by_lane;        // of the others: every lane did the same, but lanes that were apart took turns otherwise
  uint64_t events;               // of the first one
  char first[320];               // difference, as a sentence; "" if there is none
} StreamsCompared;
void streams_compare(const Streams *one, const char *one_name, const Streams *two, const char *two_name, StreamsCompared *out);

#endif
