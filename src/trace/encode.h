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
int trace_encoder_event(TraceEncoder *encoder, const TraceEvent *event);   // returns the room that is left then
// As many events of a line as there is room for, one at least. Returns how many, and says what is left of the line
// (rest may be the line), where the last of them was and what room is left then.
int trace_encoder_line(TraceEncoder *encoder, const TraceLine *line, TraceLine *rest, int32_t *last_pc,
                       int *room_left);
// Before a pass over lines is written. Behind it, with its acts where they were: writes up to `times` more like it, as
// many as there is room for, if nothing in it was new but where addresses are, and that as expected. Returns how many.
void trace_encoder_mark(TraceEncoder *encoder);
uint64_t trace_encoder_again(TraceEncoder *encoder, const TracePasses *pass, uint64_t times, int *room_left);
int trace_encoder_count(const TraceEncoder *encoder);
int trace_encoder_room(const TraceEncoder *encoder);   // how many events of a line the chunk still takes; 0: it is full
// Writes the chunk's raw bytes to `raw` (replaced) and its summary.
void trace_encoder_end(TraceEncoder *encoder, TraceBytes *raw, TraceSummary *summary);

void trace_put_summary(TraceBytes *bytes, const TraceSummary *summary);

#endif
