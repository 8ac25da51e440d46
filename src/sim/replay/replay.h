// replay.h: what the files of a replay share.
#ifndef LS_SIM_REPLAY_H
#define LS_SIM_REPLAY_H

#include "sim/core/exec.h"

SimExec *sim_replay_exec(const SimReplay *replay);   // borrowed
// Executes up to `events` events of the block, making checkpoints beyond the last one.
bool sim_replay_run_to(SimReplay *replay, uint64_t events, LsErr *err);
// Where the block goes on after it has waited for others. LS_EREQUEST: it never does.
bool sim_replay_go_on(SimReplay *replay, uint32_t block, LsErr *err);
double sim_replay_set_patience(SimReplay *replay, double seconds);   // what it was

// ---- timeline.c ----------------------------------------------------------------------------------------------------
typedef struct SimTurn { uint32_t block; uint64_t from, end; } SimTurn;   // events of the block before and after it
typedef struct SimTimeline { uint64_t first; SimTurn *items; int count, capacity; } SimTimeline;
void sim_timeline_note(SimTimeline *timeline, const SimExec *exec);   // the running turn is over
// The turn in which the block had so many events for the first time; if that is not known, the first unknown turn.
uint64_t sim_timeline_find(const SimTimeline *timeline, const SimProgram *program, uint32_t block, uint64_t events);

// ---- fast_forward.c ------------------------------------------------------------------------------------------------
typedef struct SimFastForward {
  bool going;                  // between blocks, with threads at hand: the thread does nothing else before it has ended
  bool failed;                 // these blocks depend on one another: never again
  uint32_t stretch;            // blocks between looks at the clock
  SimReplayHooks *hooks; uint32_t checks;   // of the thread, while they are put aside
} SimFastForward;
// Is it possible, and worth it, to skip the blocks from the running one, which is at its start, to that turn's?
bool sim_fast_forward_may(const SimFastForward *forward, const SimExec *exec, uint64_t turn);
typedef enum SimFastForwardEnd {
  SIM_FAST_FORWARD_THERE, SIM_FAST_FORWARD_LATE, SIM_FAST_FORWARD_FAILED
} SimFastForwardEnd;
// THERE: that turn is the next to begin. LATE: the deadline came first (patience is 0 if there is none); ask again, or
// end it. FAILED: memory and grid are spoiled.
SimFastForwardEnd sim_fast_forward_to(SimFastForward *forward, SimExec *exec, uint64_t turn, double patience,
                                      double deadline);
void sim_fast_forward_end(SimFastForward *forward, SimExec *exec);   // whether it is going or not

#endif
