// reader.h: the inside of Trace, for the files that read and search traces.
#ifndef LS_TRACE_READER_H
#define LS_TRACE_READER_H

#include <zstd.h>
#include "trace/coverage.h"
#include "trace/decode.h"
#include "trace/measured.h"
#include "trace/prints.h"
#include "trace/section.h"

enum {
  READER_SLOTS = 24,               // decoded chunks kept at most,
  READER_BYTES = 48 << 20,         // or as many as fit here (two at least)
};

// A chunk of the file.
typedef struct TraceEntry {
  uint64_t offset, first;          // of its section; step of its first event
  int count;
  TraceSummary summary;
} TraceEntry;

typedef struct TraceSlot { int entry; uint64_t used; size_t bytes; TraceChunk *chunk; } TraceSlot;   // chunk NULL: free

struct Trace {
  char *path;                      // NULL: memory
  int fd;
  uint8_t *memory;                 // owned; NULL: file
  uint64_t base, size;             // of a launch inside of a file: where it begins there
  uint8_t *prefix; size_t prefix_size;   // while such a one is opened: what its INFD is a difference to; else NULL
  bool is_launch;
  TraceInfo info;
  bool truncated;
  uint64_t steps;
  TraceEntry *entries; int entry_count, entry_capacity;
  TraceBlock *blocks; int block_count, block_capacity;
  TraceFault *faults; int fault_count, fault_capacity;
  TraceTally *tallies; int tally_count, tally_capacity;
  TraceMeasured measured;
  TracePrints prints;
  TraceCoverages coverages;
  bool interrupted; uint64_t blocks_done;
  uint8_t *program; size_t program_size; int number;   // content and count of PROG; NULL: there is none
  TraceLaunch *launches; int launch_count, launch_capacity;
  Predictor *predictor;
  ZSTD_DCtx *zstd;
  TraceSlot slots[READER_SLOTS];
  uint64_t clock;                  // grows with every use of a slot
  int last_slot;
};

// Launches of a file have places, the first one 0. The INFD of each is a difference to that of this one, which is read
// in a few steps, and is seldom far.
static inline int trace_launch_parent(int place) { return place & (place - 1); }

// The entry that holds a step (below steps).
int trace_entry_at(const Trace *trace, uint64_t step);
// The decoded chunk of an entry; borrowed until the next call. NULL if the file is damaged there.
const TraceChunk *trace_load(Trace *trace, int entry, LsErr *err);

// open.c: opening. Fills everything but the caches.
bool trace_read_all(Trace *trace, LsErr *err);
// Reads a section's header at offset; false if it is damaged or does not fit into the file.
bool trace_read_section(Trace *trace, uint64_t offset, TraceSection *section);
// Contents of a section, decompressed; caller frees. NULL with a message.
uint8_t *trace_read_payload(Trace *trace, uint64_t offset, const TraceSection *section, LsErr *err);
bool trace_damaged(const Trace *trace, uint64_t offset, LsErr *err);   // false, with a message

#endif
