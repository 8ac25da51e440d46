// totals.h: counters at intervals of steps, so that "so far" is known at any step without folding from the start.
#ifndef LS_APP_TOTALS_H
#define LS_APP_TOTALS_H

#include "model/model.h"

typedef struct RunPrefix RunPrefix;
RunPrefix *totals_new(const PtxModule *module);
void totals_free(RunPrefix *totals);
Counters *totals_counters(RunPrefix *totals);                  // of what is folded so far; borrowed
bool totals_advance(RunPrefix *totals, Trace *trace, uint64_t events);   // folds events of a trace; true: more to do
bool totals_at(RunPrefix *totals, Trace *trace, uint64_t step, CounterSet *out);   // false: not folded so far yet

#endif
