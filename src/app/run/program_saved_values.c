// program_saved_values.c: numbers, names and what is known of a launch as bytes, for the files that save programs.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/program_saved_parts.h"
#include "base/mem.h"
#include "trace/section.h"

void saved_put_double(TraceBytes *b, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  trace_put_u64(b, bits);
}

double saved_get_double(TraceCursor *c) {
  uint64_t bits = trace_get_u64(c);
  double value;
  memcpy(&value, &bits, sizeof value);
  if (isfinite(value)) return value;
  trace_cursor_fail(c);
  return 0;
}

// An index of `count` things; -1 is one only if `none`.
int saved_get_index(TraceCursor *c, bool none, int count) {
  int64_t value = (int64_t)trace_get_svarint(c);
  if (value >= (none ? -1 : 0) && value < count) return (int)value;
  trace_cursor_fail(c);
  return none ? -1 : 0;
}

void saved_put_index(TraceBytes *b, int index) { trace_put_svarint(b, (uint64_t)(int64_t)index); }

// One that is shown, and so is never missing.
char *saved_get_words(TraceCursor *c) {
  char *text = trace_get_text(c);
  return text ? text : ls_strdup("");
}

// ---- launches ------------------------------------------------------------------------------------------------------

static void put_counters(TraceBytes *b, const CounterSet *set) {
  uint64_t pairs = 0;
  for (int i = 0; i < COUNTER_COUNT; i++) pairs += set->value[i] != 0;
  trace_put_varint(b, pairs);
  for (int i = 0; i < COUNTER_COUNT; i++)
    if (set->value[i]) trace_put_varint(b, (uint64_t)i), trace_put_varint(b, set->value[i]);
}

void saved_put_launch(TraceBytes *b, const ProgramLaunch *l) {
  put_counters(b, &l->counters);
  trace_put_varint(b, (uint64_t)l->fault_count);
  for (int k = 0; k < l->fault_count; k++) trace_put_fault(b, &l->faults[k]);
  trace_put_text(b, l->printed);
  trace_put_varint(b, l->elapsed_ns);
  trace_put_varint(b, (uint64_t)l->cost.blocks);
  trace_put_varint(b, (uint64_t)l->cost.per_wave);
  saved_put_double(b, l->cost.block_ns);
  saved_put_index(b, l->findings);
  trace_put_text(b, l->finding);
}

// Counters have names, so that another version may have others.
void saved_get_counters(TraceCursor *c, SavedCounters *counters) {
  counters->count = (int)trace_get_bounded(c, SAVED_MOST_COUNTERS);
  for (int i = 0; i < counters->count && !c->bad; i++) {
    char *name = saved_get_words(c);
    counters->which[i] = -1;
    for (int k = 0; k < COUNTER_COUNT; k++)
      if (strcmp(counter_def((CounterId)k)->name, name) == 0) counters->which[i] = k;
    free(name);
  }
}

static void get_counters(TraceCursor *c, const SavedCounters *counters, CounterSet *set) {
  uint64_t pairs = trace_get_bounded(c, (uint64_t)counters->count);
  for (uint64_t i = 0; i < pairs && !c->bad; i++) {
    uint64_t index = trace_get_bounded(c, (uint64_t)counters->count - 1), value = trace_get_varint(c);
    if (!c->bad && counters->which[index] >= 0) set->value[counters->which[index]] = value;
  }
}

static void get_launch_faults(TraceCursor *c, ProgramLaunch *l) {
  int capacity = 0;
  uint64_t count = trace_get_bounded(c, INT32_MAX);
  for (uint64_t i = 0; i < count && !c->bad; i++) {
    TraceFault fault;
    trace_get_fault(c, &fault);
    if (!fault.message) fault.message = ls_strdup("");
    LS_PUSH(l->faults, l->fault_count, capacity, fault);
  }
}

void saved_get_launch(TraceCursor *c, const SavedCounters *counters, ProgramLaunch *l) {
  get_counters(c, counters, &l->counters);
  get_launch_faults(c, l);
  l->printed = saved_get_words(c);
  l->elapsed_ns = trace_get_varint(c);
  l->cost.blocks = (int64_t)trace_get_bounded(c, INT64_MAX);
  l->cost.per_wave = (int64_t)trace_get_bounded(c, INT64_MAX);
  l->cost.block_ns = saved_get_double(c);
  l->findings = saved_get_index(c, true, INT32_MAX);
  l->finding = trace_get_text(c);
}
