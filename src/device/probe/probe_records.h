// probe_records.h: the records that an instrumented kernel left in memory, found and put in order.
//
// Blocks that run at the same time reserve their records in turns. Here they stand block after block, those of each in the order
// in which they were reserved. Four bytes for each are all that it takes: a record is known by the unit it begins at.
#ifndef LS_DEVICE_PROBE_RECORDS_H
#define LS_DEVICE_PROBE_RECORDS_H

#include "device/probe/probe_impl.h"

typedef struct ProbeRecords {
  uint32_t *unit;              // of each record; owned
  uint64_t count;
} ProbeRecords;

// Nothing in the memory is trusted: a record that cannot be ends the search, for where the next one begins is not known then.
void probe_records_find(ProbeRecords *records, const Probe *probe, const uint8_t *memory);
void probe_records_free(ProbeRecords *records);

static inline const uint8_t *probe_unit_at(const Probe *probe, const uint8_t *memory, uint64_t unit) {
  return memory + probe->at_records + unit * PROBE_UNIT;
}

static inline uint64_t probe_record_units(const ProbeRecord *r) {
  uint32_t arrays = r->shape >> 8, affine = (r->shape & 1) + (r->shape >> 1 & 1) + (r->shape >> 2 & 1);
  return 1 + affine + (uint64_t)(arrays - affine) * PROBE_ARRAY_UNITS;
}

uint32_t probe_lanes_of(const Probe *probe, uint32_t warp);   // that exist

#endif
