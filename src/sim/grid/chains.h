// chains.h: sums of chosen words in one piece: see analysis/chains.c.
#ifndef LS_SIM_GRID_CHAINS_H
#define LS_SIM_GRID_CHAINS_H

#include "sim/core/exec.h"

// Executes one in the midst of a line, by a whole warp. Comes back with its last instruction; NULL: nothing was done.
const SimInst *sim_chains_run(SimExec *exec, const SimChain *chain);

#endif
