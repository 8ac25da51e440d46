// measured.h: what a real device measured, as bytes and back: the sections CNTS, TIME and MEAS of format.h.
#ifndef LS_TRACE_MEASURED_H
#define LS_TRACE_MEASURED_H

#include "trace/bytes.h"
#include "trace/trace.h"

// What a writer keeps of it until the end, and what a reader found. {0} is nothing.
typedef struct TraceMeasured {
  TraceCount *counts; int count_count;
  TraceBlockTime *times; int time_count;
  TraceMeasure *measure;               // NULL: none
} TraceMeasured;
void trace_measured_fini(TraceMeasured *measured);

// Copies; what was there before is replaced. Times are put in the order of their start.
void trace_measured_counts(TraceMeasured *measured, const TraceCount *counts, int count);
void trace_measured_times(TraceMeasured *measured, const TraceBlockTime *times, int count);
void trace_measured_measure(TraceMeasured *measured, const TraceMeasure *measure);

// Contents of the sections. The getters fail with cursor->bad, and then leave nothing behind. `blocks`: of the grid.
void trace_put_counts(TraceBytes *bytes, const TraceMeasured *measured);
void trace_put_times(TraceBytes *bytes, const TraceMeasured *measured);
void trace_put_measure(TraceBytes *bytes, const TraceMeasured *measured);
void trace_get_counts(TraceCursor *cursor, uint32_t count, TraceMeasured *measured);
void trace_get_times(TraceCursor *cursor, uint32_t count, uint64_t blocks, TraceMeasured *measured);
void trace_get_measure(TraceCursor *cursor, TraceMeasured *measured);

#endif
