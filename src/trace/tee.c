// tee.c: one run, two listeners.
#include "trace/trace.h"

static TraceTee *tee_of(TraceSink *sink) { return (TraceTee *)(void *)sink; }   // sink is its first member

// Calls FUNCTION of both sinks, where there are such.
#define TEE(sink, FUNCTION, ...)                                                  \
  do {                                                                            \
    TraceSink *both_[] = {tee_of(sink)->first, tee_of(sink)->second};             \
    for (int i_ = 0; i_ < 2; i_++)                                                \
      if (both_[i_] && both_[i_]->FUNCTION) both_[i_]->FUNCTION(both_[i_], __VA_ARGS__); \
  } while (0)

static void tee_begin_block(TraceSink *sink, uint32_t block, bool recorded) { TEE(sink, begin_block, block, recorded); }
static void tee_event(TraceSink *sink, const TraceEvent *event) { TEE(sink, event, event); }
static void tee_access(TraceSink *sink, const TraceEvent *event) { TEE(sink, access, event); }
static void tee_end_block(TraceSink *sink, uint32_t block) { TEE(sink, end_block, block); }
static void tee_fault(TraceSink *sink, const TraceFault *fault) { TEE(sink, fault, fault); }
static void tee_tally(TraceSink *sink, const TraceTally *tallies, int count) { TEE(sink, tally, tallies, count); }
static void tee_counts(TraceSink *sink, const TraceCount *counts, int count) { TEE(sink, counts, counts, count); }
static void tee_times(TraceSink *sink, const TraceBlockTime *times, int count) { TEE(sink, block_times, times, count); }
static void tee_measure(TraceSink *sink, const TraceMeasure *measure) { TEE(sink, measure, measure); }

void trace_tee_init(TraceTee *tee, TraceSink *first, TraceSink *second) {
  *tee = (TraceTee){
      .sink = {.begin_block = tee_begin_block, .event = tee_event, .access = tee_access, .end_block = tee_end_block,
               .fault = tee_fault, .tally = tee_tally, .counts = tee_counts, .block_times = tee_times,
               .measure = tee_measure},
      .first = first, .second = second,
  };
}
