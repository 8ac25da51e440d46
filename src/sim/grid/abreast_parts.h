// abreast_parts.h: warps on their way round a loop, for the two files that share the work.
#ifndef LS_SIM_ABREAST_PARTS_H
#define LS_SIM_ABREAST_PARTS_H

#include "sim/grid/abreast.h"
#include "sim/grid/rounds.h"

enum { SIM_WALK_STINTS = 16, SIM_WALK_LOOP = 256 };

typedef struct SimWalker {
  SimWarp *warp;
  int32_t from, at;                        // instructions from the start of the loop to where it stood, and stands
  SimRounding round;
  int32_t stints[SIM_WALK_STINTS];         // a period: instructions of each stint
  int32_t period;                          // and of all: whole rounds
  int64_t done;                            // instructions so far
} SimWalker;

struct SimAbreast {
  // The loop; of each of its instructions: how many members of a round are before it, and how many of these access.
  const SimInst *line;
  int32_t length;
  uint16_t members[SIM_WALK_LOOP];
  uint8_t accesses[SIM_WALK_LOOP];
  // Who goes round it. A period brings each to where it stands in the loop, and has as many stints for all.
  SimWalker walkers[SIM_MAX_WARPS];
  int count, stints;
  int patience, skip;                      // where that could not be, nobody is asked for a while
  // What is told of a period: its stints as lines, those of all walkers one after the other.
  TraceEvent firsts[SIM_WALK_STINTS * SIM_MAX_WARPS];
  TraceLine lines[SIM_WALK_STINTS * SIM_MAX_WARPS];
  TraceAct *acts; int act_count, act_capacity;
  uint64_t *steps; int step_count, step_capacity;
};

// Tells what was executed: whole periods, some stints of one more, and `part` instructions of the next one.
void sim_abreast_tell(SimExec *exec, struct SimAbreast *a, uint64_t periods, int stints, int32_t part);

#endif
