// program_order.h: what orders the steps of a program, by CUDA's rules (CUDA C++ Programming Guide, "Streams";
// Runtime API,
// "Stream synchronization behavior").
//
//   host      comes to the steps in order; a wait, a copy that blocks and a free hold it up
//   stream    what is in one stream is in order
//   event     a stream that waits for an event goes on behind what was in the recording stream when it was recorded
//   default   the legacy default stream waits for all streams, and all of them for it, but those that are nonblocking
//
// Every step knows how far each stream and the host had come before it began: a vector clock.
#ifndef LS_MODEL_PROGRAM_ORDER_H
#define LS_MODEL_PROGRAM_ORDER_H

#include "launch/program.h"

typedef struct ProgramRules {
  bool default_per_thread;   // --default-stream per-thread: the default stream is a stream like any other
  bool single_queue;         // before compute capability 3.5: what waits holds up all that was issued after it
} ProgramRules;

typedef struct ProgramOrder ProgramOrder;
// NULL with LS_EREQUEST: too many steps for so many streams. The program is borrowed.
ProgramOrder *program_order_new(const HostProgram *program, ProgramRules rules, LsErr *err);
void program_order_free(ProgramOrder *order);

// Is step `before` over when step `after` begins? False for a step and itself.
bool program_order_is(const ProgramOrder *order, int before, int after);
// Whether one of the two is over before the other begins.
static inline bool program_ordered(const ProgramOrder *order, int a, int b) {
  return program_order_is(order, a, b) || program_order_is(order, b, a);
}
// How many steps of each chain are over when this one begins; borrowed.
const uint32_t *program_order_start(const ProgramOrder *order, int step);
// The chain that a step is in: 0 is the host, 1 + s stream s.
int program_order_chain(const HostProgram *program, int step);

#endif
