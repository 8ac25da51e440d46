// probe_records.h: the records that an instrumented kernel left in memory, found and put in order.
//
// Chunks stand in memory in the order in which lanes took them. Here the records come block after block, and those of a
// block in the order of its SM's clock: its chunks, each of which has that order, are merged.
#ifndef LS_DEVICE_PROBE_RECORDS_H
#define LS_DEVICE_PROBE_RECORDS_H

#include "device/probe/probe_impl.h"

// A record with what its chunk tells of it.
typedef struct ProbeTold {
  uint32_t site, forms;          // index; PROBE_FORM_BITS for each array
  uint32_t block, warp;
  uint32_t active, mask;         // mask: as in ProbeRecord
  bool is_shaped;                // the number of the first lane tells all others: first
  uint64_t first;
  const uint8_t *rest;           // what follows
} ProbeTold;

typedef struct ProbeRecords ProbeRecords;

// Nothing in the memory is trusted: a record that cannot be ends its chunk, for where the next one begins is not known
// then. Borrows both.
ProbeRecords *probe_records_new(const Probe *probe, const uint8_t *memory);
void probe_records_free(ProbeRecords *records);
bool probe_records_next(ProbeRecords *records, ProbeTold *told);
uint64_t probe_records_units(const ProbeRecords *records);   // of all chunks
uint64_t probe_records_cut(const ProbeRecords *records);     // chunks that ended so, as far as they were read
uint64_t probe_records_done(const ProbeRecords *records);    // of those of blocks that were begun

int probe_records_arrays(const ProbeRecords *records, uint32_t site);   // that its records have
uint32_t probe_lanes_of(const Probe *probe, uint32_t warp);   // that exist
// The lanes that say yes, if the site asks, and the arrays that it has.
void probe_records_read(const ProbeRecords *records, const ProbeTold *told, uint32_t *yes,
                        uint64_t arrays[PROBE_ARRAYS][32]);

#endif
