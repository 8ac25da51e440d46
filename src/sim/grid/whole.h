// whole.h: straight lines one after the other, executed by a warp that has not parted, where nobody watches.
//
// Its lines follow one another without a look around: what they need to know of the warp cannot change in between. A
// jump that all lanes take leads to the next one, and one that none takes ends nothing: what is counted, is counted for
// the stretch of code from the last jump that was taken.
#ifndef LS_SIM_GRID_WHOLE_H
#define LS_SIM_GRID_WHOLE_H

#include <stdbool.h>
#include "sim/core/exec.h"

// May the running group go on that way from here? All lanes of the warp are in it, and nobody is waited for.
static inline bool sim_whole_may_run(const SimExec *exec, const SimInst *in) {
  return exec->active == SIM_FULL && exec->stop_pc < 0 && in->full_run && in->full_run <= exec->block.left &&
         exec->bare && exec->steady && !exec->takes_turns && !exec->group->forced;
}

// From a line on, as far as it goes. SIM_GO: something else has to go on at exec->pc.
SimNext sim_whole_run(SimExec *exec, const SimInst *line);

#endif
