// event.h: events of a run: made, handed over, counted, and kept back while an earlier block waits.
#ifndef LS_SIM_EVENT_H
#define LS_SIM_EVENT_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

TraceEvent *sim_event(SimExec *exec, const SimInst *inst, uint32_t mask);   // filled as far as all kinds share
void sim_emit(SimExec *exec);                              // hands exec->event over and counts it
void sim_emit_summed(SimExec *exec);                       // the same of one that the sink is told in a sum
static inline bool sim_wants_event(const SimExec *exec) {
  return exec->recording || (exec->sink && exec->sink->access);
}
// Counts an event that nobody wants to see.
static inline void sim_skip_event(SimExec *exec) { exec->block.events++; }

// ---- deferred_events.c ---------------------------------------------------------------------------------------------
void sim_defer_event(SimExec *exec);                       // exec->event, of a block that is not the one being shown
void sim_deferred_flush(SimExec *exec);                    // no block is left: shows them, block by block
void sim_deferred_free(SimExec *exec);
uint64_t sim_deferred_count(const SimExec *exec);

#endif
