// rounds.h: many rounds of a loop at once, where it is known how many there are: see analysis/rounds.c.
#ifndef LS_SIM_ROUNDS_H
#define LS_SIM_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

// What was executed: whole rounds; and of one more the instructions in front of `stop`, at which more is to be asked,
// NULL: none. again: the last whole round jumped back.
typedef struct SimRoundsDone { int rounds; bool again; const SimInst *stop; } SimRoundsDone;

// Executes rounds of the loop of one line that the running group stands at, as far as the turn goes and no access is
// unlike those before. Moves neither the program counter nor what counts instructions. False: nothing was executed.
bool sim_rounds_run(SimExec *exec, const SimInst *line, SimRoundsDone *done);

#endif
