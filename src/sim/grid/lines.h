// lines.h: straight lines executed as one by a warp that has not parted, where nobody watches or all is told at once.
#ifndef LS_SIM_GRID_LINES_H
#define LS_SIM_GRID_LINES_H

#include <stdbool.h>
#include "sim/core/exec.h"

// The running group goes on by lines until it comes to where lanes meet, the turn is used up, or the run stops: true.
// False if it waits, parted, or ended. bare: nobody is told of the lines.
bool sim_lines_run(SimExec *exec, bool bare);

#endif
