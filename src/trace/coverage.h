// coverage.h: which elements of a buffer a kernel wrote, and whether threads of several blocks did; and the section COVR
// of format.h, which is what is told of that.
//
// A cover is of one buffer. It is told every store, by warps; who wrote an element first is forgotten when another one
// does, but that several blocks stored to it stays. Atomics and volatile stores are how threads meet at a word: they
// count as written, and never as written twice.
//
// Elements come in lines of 16. A warp that stores whole lines leaves one entry in each (the usual case: eight bytes
// for 16 elements); any other store makes an entry for every element of the lines it touches.
//
// Several threads may tell the same cover at once if no two of them store to the same byte, and none stores plainly to
// what another changes by atomics (sim/core/ownership.h sees to that).
#ifndef LS_TRACE_COVERAGE_H
#define LS_TRACE_COVERAGE_H

#include "trace/bytes.h"
#include "trace/trace.h"

typedef struct TraceCover TraceCover;

// One store of the lanes of a warp.
typedef struct TraceStore {
  uint32_t block, warp;      // linear in the grid, and in the block
  int32_t pc;
  uint32_t mask;
  uint32_t width;            // bytes of a lane
  bool meets;                // an atomic, or a volatile store
  bool in_row;               // all lanes store, one behind the other; false: not known
} TraceStore;

// For `size` bytes from `base` on, in elements of `elem` bytes. Never NULL.
TraceCover *trace_cover_new(uint64_t base, uint64_t size, uint32_t elem);
void trace_cover_free(TraceCover *cover);
void trace_cover_clear(TraceCover *cover);       // nothing is written any more
// Lane i of the mask stores at addr[i]; what is outside of the buffer does not count.
void trace_cover_store(TraceCover *cover, const TraceStore *store, const uint64_t *addr);
// The same of `count` lanes from `lane` on that store an element each in a row, from addr on; mask is of no account.
// False: they store no elements of the buffer, and nothing is told.
bool trace_cover_row(TraceCover *cover, const TraceStore *store, uint64_t addr, uint32_t lane, uint32_t count);
// What became of the buffer, without the argument. False: not known (it took too much memory).
bool trace_cover_sum(const TraceCover *cover, TraceCoverage *out);

// ---- the section COVR ----------------------------------------------------------------------------------------------

typedef struct TraceCoverages { TraceCoverage *items; int count; bool known; } TraceCoverages;   // {0}: not told
void trace_coverages_fini(TraceCoverages *coverages);
void trace_coverages_set(TraceCoverages *coverages, const TraceCoverage *items, int count);   // copies
void trace_put_coverages(TraceBytes *bytes, const TraceCoverages *coverages);
// Fails with cursor->bad, and then leaves nothing behind.
void trace_get_coverages(TraceCursor *cursor, uint32_t count, const Launch *launch, TraceCoverages *coverages);

#endif
