// frame.h: addresses of 32 lanes that are nothing in particular, as numbers of few bits within a frame.
//
// A row of addresses that follow from data, as an atomic's in a histogram, mostly lies where the last one of its
// instruction lay: the frame. A number takes no more bits than the frame is wide.
#ifndef LS_TRACE_FRAME_H
#define LS_TRACE_FRAME_H

#include "trace/bytes.h"

// base + (a number of `bits` bits << shift). bits: 0: none.
typedef struct TraceFrame { uint64_t base; uint8_t shift, bits; } TraceFrame;
enum { TRACE_FRAME_BITS = 32 };   // at most

// Writes a row: its form (format.h), a frame if it needs a new one, and the numbers. Not all lanes are the same. False:
// they lie too far apart.
bool trace_frame_put(TraceBytes *out, TraceFrame *frame, const uint64_t addr[32]);
void trace_frame_get(TraceCursor *in, TraceFrame *frame, bool is_new, uint64_t addr[32]);   // behind the form

#endif
