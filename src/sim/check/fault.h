// fault.h: faults of the kernel.
#ifndef LS_SIM_FAULT_H
#define LS_SIM_FAULT_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

typedef struct SimFaultPlace {
  FaultKind kind;
  uint32_t mask;             // guilty lanes of the running warp
  TraceSpace space; uint64_t addr; int size; bool has_addr, writes;
  int32_t other_pc; uint32_t other_thread, other_block; bool has_other;
  const char *text;          // the message, or NULL: made from the fields
  const char *does;          // in its place: what the thread does, as the rest of a sentence; or NULL
  const char *why;           // RACE: why nothing orders the two, or NULL: they are too far from one another
  bool updates;              // LOST_UPDATE: this is the access that loads and stores, not the one in between
  int lane;                  // INACTIVE_SOURCE: the source
  int extent;                // index + 1 of the array that the access was meant for
  bool goes_on;              // the run, as it would on a device
  bool once;                 // an event only the first time in the whole run
} SimFaultPlace;
void sim_fault(SimExec *exec, const SimFaultPlace *place);
// For replays. A fault of the run that is replayed, the next one there: events refer to it by that place. And the event
// of one of these.
void sim_fault_know(SimExec *exec, const TraceFault *fault);
void sim_fault_expected(SimExec *exec, int index);

// ---- stuck.c: nobody can go on -------------------------------------------------------------------------------------
void sim_fault_deadlock(SimExec *exec);
void sim_fault_livelock(SimExec *exec);
void sim_fault_budget(SimExec *exec);

// ---- fault_place.c -------------------------------------------------------------------------------------------------
int sim_fault_object(const SimProgram *program, const SimFaultPlace *place, int64_t *distance);   // the nearest one, -1
void sim_fault_add_place(const SimProgram *program, const SimFaultPlace *place, TraceFault *fault, LsText *out);

#endif
