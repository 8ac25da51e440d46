// march.h: turns of warps that have not parted, from barrier to barrier without the scheduler, where nobody watches.
//
// Such a warp has one group of lanes, so there is nothing to choose: it is taken up, goes on by lines (whole.h) as far
// as that goes, and is put down. What a turn leaves behind is what the scheduler would have left, so whatever comes
// next goes on from there, also in the middle of it.
#ifndef LS_SIM_GRID_MARCH_H
#define LS_SIM_GRID_MARCH_H

#include <stdbool.h>
#include "sim/core/exec.h"

typedef enum SimMarch {
  SIM_MARCH_NOT,    // the warp cannot go that way from where it stands, and nothing was done
  SIM_MARCH_OPEN,   // the turn has begun, and goes on another way
  SIM_MARCH_STOP,   // the run stops in the middle of it
  SIM_MARCH_OVER,   // the turn is over
} SimMarch;

void sim_march_choose(SimExec *exec);   // a block's turn starts: may its warps go that way at all?
// A turn of that warp begins.
SimMarch sim_march_turn(SimExec *exec, int warp);

#endif
