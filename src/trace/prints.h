// prints.h: what the kernel printed, as bytes and back: the section PRNT of format.h.
#ifndef LS_TRACE_PRINTS_H
#define LS_TRACE_PRINTS_H

#include "trace/bytes.h"
#include "trace/trace.h"

// What a writer keeps of it until the end, and what a reader found. {0} is nothing; texts are owned.
typedef struct TracePrints { TracePrint *items; int count; } TracePrints;
void trace_prints_fini(TracePrints *prints);
void trace_prints_set(TracePrints *prints, const TracePrint *items, int count);   // copies

// Contents of the section. The getter fails with cursor->bad, and then leaves nothing behind.
void trace_put_prints(TraceBytes *bytes, const TracePrints *prints);
void trace_get_prints(TraceCursor *cursor, uint32_t count, TracePrints *prints);
// Sets the steps of those that were printed in one of these blocks.
void trace_prints_place(TracePrints *prints, const TraceBlock *blocks, int count);

#endif
