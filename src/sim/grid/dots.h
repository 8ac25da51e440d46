// dots.h: sums of products in one piece: see analysis/dots.c.
#ifndef LS_SIM_GRID_DOTS_H
#define LS_SIM_GRID_DOTS_H

#include "sim/grid/rounds.h"

// Executes whole rounds of a loop that nothing but a sum of products is left of. False: nothing was executed.
bool sim_dots_run_rounds(SimExec *exec, const SimRounding *round, int rounds);
// The same of one that has a plan, where the accesses of a term go `step` bytes further in each round.
bool sim_dots_run_steps(SimExec *exec, const SimDot *dot, const int64_t step[2], int rounds);
// The same once more, of as many rounds as the last time. False: that cannot be, or somebody looks on.
bool sim_dots_run_again(SimExec *exec, const SimDot *dot);
// Executes one that has a plan, in the midst of a line. Comes back with its last instruction; NULL: nothing was executed.
const SimInst *sim_dots_run(SimExec *exec, const SimDot *dot);

#endif
