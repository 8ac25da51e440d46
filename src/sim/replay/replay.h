// replay.h: what the files of a replay share.
#ifndef LS_SIM_REPLAY_H
#define LS_SIM_REPLAY_H

#include "sim/core/exec.h"

SimExec *sim_replay_exec(const SimReplay *replay);   // borrowed

// ---- timeline.c ------------------------------------------------------------------------------------------------------
typedef struct SimVisit { uint32_t block; uint64_t from, end; } SimVisit;   // events of the block before and after it
typedef struct SimVisits { uint64_t first; SimVisit *items; int count, capacity; } SimVisits;
void sim_visits_note(SimVisits *visits, const SimExec *exec);   // the running visit is over
// The visit in which the block had so many events for the first time; if that is not known, the first unknown visit.
uint64_t sim_visits_find(const SimVisits *visits, uint32_t block, uint64_t events);

// ---- fast_forward.c --------------------------------------------------------------------------------------------------------
typedef struct SimPass {
  bool going;                  // between blocks, with threads at hand: the Sim does nothing else before sim_pass_end
  bool in_vain;                // these blocks depend on one another: never again
  uint32_t stretch;            // blocks between looks at the clock
  SimReplayHooks *hooks; uint32_t checks;   // of the Sim, while they are put aside
} SimPass;
// Is it possible, and worth it, to pass the blocks from the running one, which is at its start, to the one of that visit?
bool sim_pass_may(const SimPass *pass, const SimExec *exec, uint64_t visit);
typedef enum SimPassEnd { SIM_PASS_THERE, SIM_PASS_LATE, SIM_PASS_IN_VAIN } SimPassEnd;
// THERE: that visit is the next to begin. LATE: the deadline came first (patience is 0 if there is none); ask again, or end
// it. IN_VAIN: memory and grid are spoiled.
SimPassEnd sim_pass_on(SimPass *pass, SimExec *exec, uint64_t visit, double patience, double deadline);
void sim_pass_end(SimPass *pass, SimExec *exec);   // whether it is going or not

#endif
