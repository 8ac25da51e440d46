// coherence.h: one cache line in the caches of many cores, by five protocols, message by message.
//
//   MESI        every request is heard by all caches on a bus. Read alone E, else all readers S; a write makes M and the
//               others I; who has M writes back when somebody else wants the line
//   directory   the same states, but a directory at the L2 knows who has a copy, and only these get a message
//   GPU-VI      V or I. Every write goes through to the L2, which invalidates all other copies and waits for their
//               answers; a write does not bring the line in (Singh et al., Cache Coherence for GPU Architectures, 2013)
//   temporal    a copy is good until a time, then it is I without a message. strong: a write is done when all leases are
//               over; weak: at once, and a fence waits for that instead (the same source, TC-strong and TC-weak)
#ifndef LS_MODEL_COHERENCE_H
#define LS_MODEL_COHERENCE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum CohProtocol { COH_MESI, COH_DIRECTORY, COH_GPU_VI, COH_TC_STRONG, COH_TC_WEAK, COH_PROTOCOLS } CohProtocol;
enum { COH_CORES = 132 };

typedef struct CohOp { char kind; int core, value; int64_t time; } CohOp;   // kind: 'r', 'w', or 'f', a fence

// state: 'M', 'E', 'S', 'I', or 'V'. until: of temporal copies, the time from which they are I.
typedef struct CohCore { char state; int value; int64_t until; } CohCore;
typedef struct CohTraffic { int hits, requests, heard, fills, invalidations, answers, write_backs, writes_through; } CohTraffic;

// What an operation did. did: to each core, 0 nothing, 'a' asks, 'h' hits, 'i' is invalidated, 'b' writes back, 's' shares.
typedef struct CohEvent { int value; int64_t done; char did[COH_CORES]; CohTraffic traffic; } CohEvent;

typedef struct Coherence {
  CohProtocol protocol;
  int cores;
  int64_t lease, now, lease_end;   // lease_end: when the last copy is over
  CohCore core[COH_CORES];
  int memory;                      // what the L2 has
  bool waits; int waiting_value; int64_t waiting_until;   // TC-strong: a write that is not done yet
  CohTraffic traffic;              // all so far
} Coherence;

void coherence_init(Coherence *c, CohProtocol protocol, int cores, int64_t lease);
// Times never go back. done: when the operation is over: of a read and a weak write its own time.
void coherence_step(Coherence *c, const CohOp *op, CohEvent *event);
// All that is sent on the way: requests, data, invalidations, answers, and on a bus whatever each cache hears.
int coherence_messages(const CohTraffic *traffic);

#endif
