// probe_pair.h: a kernel run plain and instrumented, both on the emulator, and what the two told.
#ifndef LS_TESTS_PROBE_PAIR_H
#define LS_TESTS_PROBE_PAIR_H

#include "device/probe/probe.h"
#include "model/counter.h"
#include "sim/sim.h"

typedef struct PairEvent {
  TraceEvent event;                     // pointers are to the arrays below, or NULL
  uint64_t addr[32], value[32], result[32];
  uint8_t source[32];
} PairEvent;

// What was told of one run.
typedef struct PairLog {
  TraceSink sink;                       // first
  PairEvent *events; int count, capacity;
  TraceTally *tallies; int tally_count;
  TraceCount *counts; int count_count;
  TraceBlockTime *times; int time_count;
  Counters *counters;                   // folded from the same
  uint64_t lost;
} PairLog;

typedef struct Pair {
  PtxModule *module, *instrumented;
  const Launch *launch;                 // borrowed
  int entry;
  SimSched sched;
  uint64_t seed;                        // of the order of turns
  uint32_t checks;
  bool meets_late;                      // code that tells makes blocks dearer, so others may meet elsewhere
  bool any_order;                       // of lanes that are apart, with the stack too
  bool any_old_values;                  // what an atomic finds depends on the order of warps
  bool narrows;                         // what does not fit is run again, with fewer blocks
  ProbeOptions options;
  Probe *probe;
  uint8_t *memory;
  TraceInfo info;
  Sim *plain, *traced;
  PairLog plain_log, traced_log;
  LsErr err;
} Pair;

// Everything is recorded and checked, the scheduler is its.
void pair_init(Pair *pair, PtxModule *module, int entry, const Launch *launch);
// False: err says why not.
bool pair_run(Pair *pair);
void pair_free(Pair *pair);            // not the module

// NULL if the two agree, else where they do not (a static text): results, faults, events, tallies.
const char *pair_results_differ(const Pair *pair);
const char *pair_events_differ(const Pair *pair);
const char *pair_tallies_differ(const Pair *pair);
const char *pair_counters_differ(const Pair *pair);
const char *pair_times_are_wrong(const Pair *pair);
const char *pair_differs(const Pair *pair, bool ran);   // the first of all these

void pair_log_init(PairLog *log, const PtxModule *module);
void pair_log_fini(PairLog *log);

#endif
