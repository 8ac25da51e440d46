// encode.h: events into the bytes of a chunk.
#ifndef LS_TRACE_ENCODE_H
#define LS_TRACE_ENCODE_H

#include "trace/bytes.h"
#include "trace/fold.h"

typedef struct TraceEncoder TraceEncoder;

TraceEncoder *trace_encoder_new(void);
void trace_encoder_free(TraceEncoder *encoder);

// Starts a chunk; fold is the state before it, NULL if it starts with a block.
void trace_encoder_begin(TraceEncoder *encoder, uint32_t block, uint64_t step, TraceFold *fold);
void trace_encoder_block(TraceEncoder *encoder, uint32_t block);   // a new block begins here
void trace_encoder_event(TraceEncoder *encoder, const TraceEvent *event);
int trace_encoder_count(const TraceEncoder *encoder);
bool trace_encoder_full(const TraceEncoder *encoder);
// Writes the chunk's raw bytes to `raw` (replaced) and its summary.
void trace_encoder_end(TraceEncoder *encoder, TraceBytes *raw, TraceSummary *summary);

void trace_put_summary(TraceBytes *bytes, const TraceSummary *summary);

#endif
