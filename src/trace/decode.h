// decode.h: the bytes of a chunk back into events.
#ifndef LS_TRACE_DECODE_H
#define LS_TRACE_DECODE_H

#include "trace/bytes.h"
#include "trace/fold.h"
#include "trace/predict.h"

// An event without its arrays: they are numbers of rows in the chunk's pools, -1 for none.
typedef struct TraceRecord {
  uint32_t block, active, mask, taken, members, shape;
  int32_t pc, target, reconverge, fault;
  int32_t addr, value, result, source;
  uint16_t warp, arrived, expected;
  uint8_t kind, flags, space, width, barrier_id;
} TraceRecord;

typedef struct TraceSpan { uint32_t block; int first, count; bool is_new; } TraceSpan;

// Everything is owned.
typedef struct TraceChunk {
  uint64_t first;              // step of its first event
  int count;
  TraceSummary summary;
  TraceSpan *spans; int span_count;
  TraceFold start;             // of the first span's block before the chunk; count 0 if that block begins here
  TraceRecord *records;
  uint64_t (*lanes)[32]; int lanes_count, lanes_capacity;
  uint8_t (*sources)[32]; int sources_count, sources_capacity;
} TraceChunk;

// Summary and spans only (enough to list blocks). first and count come from the section; false if bytes are damaged.
bool trace_decode_head(TraceChunk *chunk, const uint8_t *raw, size_t size, uint64_t first, int count);
// All of it. The chunk is uninitialized before, and to be freed in any case.
bool trace_decode_chunk(TraceChunk *chunk, Predictor *predictor, const uint8_t *raw, size_t size, uint64_t first,
                        int count);
void trace_chunk_fini(TraceChunk *chunk);
size_t trace_chunk_bytes(const TraceChunk *chunk);     // of memory

// The event of a record; arrays point into the chunk.
void trace_chunk_event(const TraceChunk *chunk, int index, TraceEvent *event);

void trace_get_summary(TraceCursor *cursor, TraceSummary *summary);

#endif
