// push.c: a trace as a device: what it holds goes into a sink.
#include "trace/trace.h"

enum { LOOK_EVERY = 4096 };   // events between two looks at the wish to stop

static bool push_event(Trace *trace, TraceSink *sink, uint64_t step, bool counted, LsErr *err) {
  TraceEvent event;
  if (!trace_event(trace, step, &event, err)) return false;
  if (!counted && sink->access && event.kind != TRACE_EXEC) sink->access(sink, &event);
  if (sink->event) sink->event(sink, &event);
  return true;
}

static bool push_block(Trace *trace, TraceSink *sink, const TraceBlock *block, bool counted, _Atomic bool *cancel, LsErr *err) {
  if (sink->begin_block) sink->begin_block(sink, block->block, true);
  for (uint64_t i = 0; i < block->count; i++) {
    if (i % LOOK_EVERY == 0 && cancel && *cancel) return ls_fail(err, LS_ECANCEL, "canceled");
    if (!push_event(trace, sink, block->first + i, counted, err)) return false;
  }
  if (sink->end_block) sink->end_block(sink, block->block);
  return true;
}

bool trace_push(Trace *trace, TraceSink *sink, _Atomic bool *cancel, LsErr *err) {
  int count, block_count;
  const TraceFault *faults = trace_faults(trace, &count);
  for (int i = 0; i < count && sink->fault; i++) sink->fault(sink, &faults[i]);
  const TraceCount *counts = trace_counts(trace, &count);
  const TraceBlock *blocks = trace_blocks(trace, &block_count);
  for (int i = 0; i < block_count; i++)
    if (!push_block(trace, sink, &blocks[i], count > 0, cancel, err)) return false;
  if (count && sink->counts) sink->counts(sink, counts, count);
  const TraceTally *tallies = trace_tallies(trace, &count);
  if (sink->tally) sink->tally(sink, tallies, count);
  const TracePrint *prints = trace_prints(trace, &count);
  if (count && sink->print) sink->print(sink, prints, count);
  const TraceCoverage *coverages;
  if (trace_coverages(trace, &coverages, &count) && sink->coverage) sink->coverage(sink, coverages, count);
  const TraceBlockTime *times = trace_block_times(trace, &count);
  if (count && sink->block_times) sink->block_times(sink, times, count);
  const TraceMeasure *measure = trace_measure(trace);
  if (measure && sink->measure) sink->measure(sink, measure);
  return true;
}
