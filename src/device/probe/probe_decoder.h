// probe_decoder.h: what is known while the records of an instrumented kernel are told as events.
#ifndef LS_DEVICE_PROBE_DECODER_H
#define LS_DEVICE_PROBE_DECODER_H

#include "device/probe/probe_impl.h"
#include "device/probe/probe_places.h"
#include "device/probe/probe_records.h"

enum { PROBE_LANES = 32, PROBE_MOST_WARPS = 32, PROBE_BARRIERS = 16, PROBE_ALL_BARRIERS };   // and that of the cluster

typedef struct ProbeWarp {
  uint32_t live;
  uint32_t together;             // the lanes of the group that was made last
  uint32_t group[PROBE_LANES];   // lanes with the same number were together at their last event
  int32_t call[PROBE_LANES];     // pc of the call that the lane is about to enter by, -1
} ProbeWarp;

typedef struct ProbeBarrier { uint32_t lanes[PROBE_MOST_WARPS]; uint32_t threads; bool used; } ProbeBarrier;

typedef struct ProbeDecoder {
  const Probe *probe;
  ProbeRecords *records;
  const TraceInfo *info;         // may be NULL
  TraceSink *sink;
  Places *places;
  uint64_t step;
  uint32_t block;
  ProbeWarp *warps; int warp_count;
  uint32_t next_group;
  ProbeBarrier barriers[PROBE_ALL_BARRIERS];
  // the record being told
  ProbeTold record;
  uint32_t yes;                  // of its lanes, those for which whatever the site asks holds
  uint64_t arrays[PROBE_ARRAYS][PROBE_LANES];
  uint64_t addr[PROBE_LANES];
  uint8_t source[PROBE_LANES];
} ProbeDecoder;

// An event of the record's warp. Whoever pushes it may fill in the rest first.
TraceEvent probe_event_at(const ProbeDecoder *d, int pc, uint32_t active, uint32_t mask);
void probe_push(ProbeDecoder *d, TraceEvent *e);
void probe_push_bare(ProbeDecoder *d, int pc, uint32_t active, uint32_t mask);
// An access by the lanes in e->mask, at least one, as an event for each space that it went to. raw: addresses of the device,
// as they were told; kind and width are the event's.
void probe_push_access(ProbeDecoder *d, const TraceEvent *e, PtxSpace declared, const uint64_t raw[PROBE_LANES]);

#endif
