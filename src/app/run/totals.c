// totals.c: folds the events of a trace and keeps a snapshot of the counters every so many steps.
#include "app/run/totals.h"

#include <stdlib.h>

enum { TOTALS_EVERY = 1024 };   // steps between snapshots: 0.3 ms of folding, 0.3 bytes an event

typedef struct Snapshot { uint64_t step; CounterSet set; } Snapshot;   // totals of all events before `step`

struct RunPrefix {
  const PtxModule *module;
  Counters *counters;          // of everything folded so far, instruction counts aside
  uint64_t steps, warps, lanes;
  Snapshot *snapshots;         // in order of steps
  int count, capacity;
  uint64_t last_step;          // the answer given last, to go on from
  CounterSet last;
  bool has_last;
};

static void fold(Counters *counters, const TraceEvent *event) {
  TraceSink *sink = counters_sink(counters);
  if (event->kind != TRACE_EXEC) sink->access(sink, event);
}

static CounterSet totals_now(const RunPrefix *totals) {
  CounterSet set = *counters_total(totals->counters);
  set.value[COUNTER_WARP_INSTRUCTIONS] = totals->warps;
  set.value[COUNTER_THREAD_INSTRUCTIONS] = totals->lanes;
  return set;
}

static void snapshot(RunPrefix *totals) {
  Snapshot now = {totals->steps, totals_now(totals)};
  LS_PUSH(totals->snapshots, totals->count, totals->capacity, now);
}

static uint64_t lanes_in(uint32_t mask) { return mask == UINT32_MAX ? 32 : (uint64_t)__builtin_popcount(mask); }

static void count_instruction(const TraceEvent *event, uint64_t *warps, uint64_t *lanes) {
  if (trace_kind_is_fault(event->kind)) return;
  *warps += 1;
  *lanes += lanes_in(event->mask);
}

static void take(RunPrefix *totals, const TraceEvent *event) {
  if (totals->steps % TOTALS_EVERY == 0) snapshot(totals);
  fold(totals->counters, event);
  count_instruction(event, &totals->warps, &totals->lanes);
  totals->steps++;
}

RunPrefix *totals_new(const PtxModule *module) {
  RunPrefix *totals = ls_alloc(sizeof *totals);
  totals->module = module;
  totals->counters = counters_new(module);
  return totals;
}

void totals_free(RunPrefix *totals) {
  if (!totals) return;
  counters_free(totals->counters);
  free(totals->snapshots);
  free(totals);
}

Counters *totals_counters(RunPrefix *totals) { return totals->counters; }

bool totals_advance(RunPrefix *totals, Trace *trace, uint64_t events) {
  uint64_t steps = trace_steps(trace);
  TraceEvent event;
  for (; events > 0 && totals->steps < steps; events--) {
    if (!trace_event(trace, totals->steps, &event, NULL)) return false;
    take(totals, &event);
  }
  return totals->steps < steps;
}

// The last snapshot at or before a step.
static const Snapshot *snapshot_before(const RunPrefix *totals, uint64_t step) {
  int low = 0, high = totals->count;
  while (low + 1 < high) {
    int middle = low + (high - low) / 2;
    if (totals->snapshots[middle].step <= step) low = middle; else high = middle;
  }
  return &totals->snapshots[low];
}

// Adds the events [from, to] to *out.
static bool add_range(RunPrefix *totals, Trace *trace, uint64_t from, uint64_t to, CounterSet *out) {
  Counters *counters = counters_new(totals->module);
  uint64_t warps = 0, lanes = 0;
  TraceEvent event;
  bool ok = true;
  for (uint64_t step = from; ok && step <= to; step++) {
    ok = trace_event(trace, step, &event, NULL);
    if (!ok) break;
    fold(counters, &event);
    count_instruction(&event, &warps, &lanes);
  }
  counter_add(out, counters_total(counters));
  out->value[COUNTER_WARP_INSTRUCTIONS] += warps;
  out->value[COUNTER_THREAD_INSTRUCTIONS] += lanes;
  counters_free(counters);
  return ok;
}

bool totals_at(RunPrefix *totals, Trace *trace, uint64_t step, CounterSet *out) {
  if (step >= totals->steps) return false;
  if (totals->has_last && totals->last_step == step) {
    *out = totals->last;
    return true;
  }
  const Snapshot *before = snapshot_before(totals, step);
  uint64_t from = before->step;
  *out = before->set;
  if (totals->has_last && totals->last_step < step && totals->last_step >= from) {
    *out = totals->last;
    from = totals->last_step + 1;
  }
  if (!add_range(totals, trace, from, step, out)) return false;
  totals->last = *out;
  totals->last_step = step;
  totals->has_last = true;
  return true;
}
