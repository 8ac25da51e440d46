// fuzz_trace.c: any bytes as a trace file: opened, read at a few steps, searched.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "fuzz.h"
#include "trace/trace.h"

enum { MOST_STEPS = 64, MOST_LAUNCHES = 4 };

static void search(Trace *trace, uint64_t steps) {
  TraceQuery query;
  uint64_t found;
  trace_query_init(&query);
  query.kinds = 1u << TRACE_LOAD | 1u << TRACE_BRANCH;
  trace_find(trace, 0, 1, &query, &found, NULL);
  trace_find(trace, steps - 1, -1, &query, &found, NULL);
  uint32_t counts[8 * (TRACE_KIND_COUNT + 1)];
  trace_overview(trace, 0, steps, 8, counts, NULL);
}

static void read_steps(Trace *trace, uint64_t steps) {
  TraceWarp warps[32];
  TraceEvent event;
  const Launch *launch = &trace_info(trace)->launch;
  for (uint64_t i = 0; i < MOST_STEPS; i++) {
    uint64_t step = i < MOST_STEPS / 2 ? i : steps - 1 - (i - MOST_STEPS / 2) * 97 % steps;
    if (step >= steps || !trace_event(trace, step, &event, NULL)) continue;
    if (launch_warps(launch) <= 32) trace_warps(trace, step, warps, NULL);
  }
}

// What a GPU measured: reading all of it is the test.
static uint64_t read_measured(const Trace *trace) {
  int count;
  uint64_t sum = 0;
  const TraceCount *counts = trace_counts(trace, &count);
  for (int i = 0; i < count; i++) sum += counts[i].sectors + counts[i].kind;
  const TraceBlockTime *times = trace_block_times(trace, &count);
  for (int i = 0; i < count; i++) sum += times[i].end - times[i].start + times[i].block;
  const TraceMeasure *measure = trace_measure(trace);
  if (measure && measure->date) sum += strlen(measure->date);
  return sum;
}

static void read_all(Trace *trace) {
  uint64_t steps = trace_steps(trace);
  volatile uint64_t kept = read_measured(trace);
  (void)kept;
  if (steps) {
    read_steps(trace, steps);
    search(trace, steps);
  }
}

// The launches of a program are traces of their own.
static void read_launches(Trace *file) {
  int count;
  const TraceLaunch *launches = trace_launches(file, &count);
  for (int i = 0; i < LS_MIN(count, MOST_LAUNCHES); i++) {
    LsErr err = {0};
    Trace *launch = trace_open_launch(file, launches[count - 1 - i].number, &err);
    if (launch) read_all(launch);
    trace_close(launch);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  LsErr err = {0};
  uint8_t *copy = ls_alloc(size);
  memcpy(copy, data, size);
  Trace *trace = trace_open_memory(copy, size, &err);
  if (!trace) return 0;
  read_all(trace);
  read_launches(trace);
  trace_close(trace);
  return 0;
}
