// counter_trace.c: counters of a saved trace.
#include "model/counter.h"

bool counters_from_trace(Counters *counters, Trace *trace, bool *complete, LsErr *err) {
  TraceSink *sink = counters_sink(counters);
  int count;
  const TraceTally *tallies = trace_tallies(trace, &count);
  sink->tally(sink, tallies, count);
  const TraceCount *counts = trace_counts(trace, &count);
  if (count) {
    sink->counts(sink, counts, count);
    return *complete = true;
  }
  trace_blocks(trace, &count);
  *complete = (uint64_t)count == launch_blocks(&trace_info(trace)->launch) && !trace_is_truncated(trace);
  for (uint64_t step = 0, steps = trace_steps(trace); step < steps; step++) {
    TraceEvent event;
    if (!trace_event(trace, step, &event, err)) return false;
    if (event.kind != TRACE_EXEC) sink->access(sink, &event);
  }
  return true;
}
