// counter.h: the counters of a run, counted while it runs, per instruction and in all.
//
// counter.def defines each of them as Nsight Compute does. One warp instruction adds to the counters of its own pc:
//
//   device --access()--> counters: one warp instruction       what memory saw: requests, sectors, wavefronts
//          --tally()---> counters: executions per instruction warp_instructions, thread_instructions
//          --counts()--> the same as all access() calls at once, from a device that counts by itself
//
// An instruction whose guard is false in every lane asks for nothing and is counted as executed only.
#ifndef LS_MODEL_COUNTER_H
#define LS_MODEL_COUNTER_H

#include "ptx/lines.h"
#include "trace/trace.h"

typedef enum CounterId {
#define COUNTER(NAME, ...) COUNTER_##NAME,
#include "model/counter.def"
#undef COUNTER
  COUNTER_COUNT
} CounterId;
typedef struct CounterDef { const char *name, *unit, *metric, *help; } CounterDef;
const CounterDef *counter_def(CounterId id);   // NULL if there is no such counter

typedef struct CounterSet { uint64_t value[COUNTER_COUNT]; } CounterSet;
void counter_add(CounterSet *to, const CounterSet *from);

// Folds a whole run into totals per instruction. Give its sink to the device.
typedef struct Counters Counters;
Counters *counters_new(const PtxModule *module);       // module borrowed
void counters_free(Counters *counters);                // NULL is fine
TraceSink *counters_sink(Counters *counters);          // can be forked
// What the device told of the results; false: nothing. Borrowed.
bool counters_coverage(const Counters *counters, const TraceCoverage **items, int *count);
void counters_move(Counters *to, Counters *from);      // adds what `from`, of the same module, has counted (to: NULL is
                                                       // fine), and empties it
const CounterSet *counters_total(const Counters *counters);      // borrowed; of the moment of the call
const CounterSet *counters_at(const Counters *counters, int pc); // borrowed; of the moment of the call
// The least sectors that the global loads and stores of an instruction could have touched, each for as many bytes as it
// wanted.
uint64_t counters_least_sectors(const Counters *counters, int pc);
// The lines that code of the module comes from; borrowed, and made when first asked for.
const PtxLines *counters_lines(const Counters *counters);
// Totals of a source line of a file of the module: its own instructions and those of calls inlined into it.
void counters_line(const Counters *counters, int file, int line, CounterSet *out);
// The sums as a device tells them that counts by itself (TraceSink.counts): folding them gives the same counters again. What
// no counter needs is not in them (executions of accesses; a match or redux counts as a vote). Caller frees *counts.
int counters_export(const Counters *counters, TraceCount **counts);

#endif
