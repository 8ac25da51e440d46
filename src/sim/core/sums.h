// sums.h: events that differ in nothing that is counted, kept back and told to the sink as one (TraceSink.accesses).
#ifndef LS_SIM_CORE_SUMS_H
#define LS_SIM_CORE_SUMS_H

#include "sim/core/exec.h"

void sim_sums_start(SimExec *exec);    // a block's turn starts: whether its sink takes sums
void sim_sums_tell(SimExec *exec);     // all that was kept back; before a unit of blocks ends
void sim_sums_forget(SimExec *exec);   // nobody is told
void sim_sums_tell_shape(SimExec *exec, int32_t pc, SimShape *shape);   // what it kept back, before it changes
void sim_sums_note(SimExec *exec, int32_t pc);   // something may be kept back at pc from now on

// Is the event that comes only to be counted? Then nobody looks at what is in it.
static inline bool sim_is_summed(const SimExec *exec) { return exec->sums_up && !exec->recording; }

// Events without an address that count as all others at pc do; they may be recorded beside that.
static inline void sim_sum_times(SimExec *exec, int32_t pc, uint64_t times) {
  if (!exec->shapes[pc].times) sim_sums_note(exec, pc);
  exec->shapes[pc].times += times;
}

void sim_sums_tell_partings(SimExec *exec, int32_t pc);   // before others part there

// A whole warp's lanes in `taken` jump at pc, and the others do not; they have not just met. It is only counted.
static inline void sim_sum_parting(SimExec *exec, int32_t pc, uint32_t taken) {
  SimShapes *s = &exec->shapes[pc];
  if (s->taken != taken) sim_sums_tell_partings(exec, pc);
  s->taken = taken;
  if (!s->partings++) sim_sums_note(exec, pc);
  exec->block.events++;
}

static inline void sim_sum_recorded(SimExec *exec, int32_t pc) { sim_sum_times(exec, pc, 1); }

static inline void sim_sum_event(SimExec *exec, int32_t pc) {
  sim_sum_recorded(exec, pc);
  exec->block.events++;
}

#endif
