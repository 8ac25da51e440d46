// rounds.h: many rounds of a loop at once, where it is known how many there are: see analysis/rounds.c.
#ifndef LS_SIM_ROUNDS_H
#define LS_SIM_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

// What was executed: whole rounds; and of one more the instructions in front of `stop`, at which more is to be asked,
// NULL: none. again: the last whole round jumped back.
typedef struct SimRoundsDone { int rounds; bool again; const SimInst *stop; } SimRoundsDone;

// Does it make sense to stop in front of that loop, and ask for its rounds?
static inline bool sim_rounds_may_run(const SimExec *exec, const SimInst *line) {
  return exec->active == SIM_FULL && !exec->block.alert && !exec->shapes[line->pc + line->run - 1].skip;
}

// Executes rounds of the loop of one line that the running group stands at, as far as the turn goes and no access is
// unlike those before. Moves neither the program counter nor what counts instructions. False: nothing was executed.
bool sim_rounds_run(SimExec *exec, const SimInst *line, SimRoundsDone *done);

// ---- in pieces -----------------------------------------------------------------------------------------------------

typedef struct SimGoing {       // an access on its way
  SimShape *shape;
  SimMove move;
  uint8_t *reg, *place;
  const uint64_t *places;
  uint64_t step, at;            // bytes per round; the address in the first one
} SimGoing;

// A warp on its way through rounds, which begin at `from`, wherever in the loop that is.
typedef struct SimRounding {
  const SimRounds *rounds;
  int32_t from, length;         // instructions of the loop
  uint64_t by[SIM_ROUND_WALKS];
  SimGoing going[SIM_ROUND_ACCESSES], *next;
  uint64_t most, back;          // rounds in which no access is unlike those before; the first of them that jump back,
                                // where those count that begin the line, the one that runs included
} SimRounding;

// The running warp, with all lanes, stands at `from`. False: that cannot be.
bool sim_rounding_start(SimExec *exec, SimRounding *round, const SimInst *line, int32_t from, uint64_t most);
// Executes members up to `end`; round->next is the first of these that accesses. Comes back with the one at which
// somebody wants to know more; NULL: none.
const SimRoundMember *sim_rounding_go(SimExec *exec, SimRounding *round, const SimRoundMember *m,
                                      const SimRoundMember *end);
// Makes up for what was left out of whole rounds and of `part` instructions of one more. again: the last jump was back.
void sim_rounding_end(const SimExec *exec, const SimRounding *round, uint64_t rounds, int32_t part, bool again);

#endif
