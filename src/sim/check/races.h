// races.h: races in global memory.
#ifndef LS_SIM_RACES_H
#define LS_SIM_RACES_H

#include <stdint.h>
#include "sim/core/exec.h"

// Of a store before the bytes are moved, and behind the event of the access.
void sim_races_access(SimExec *exec, const SimInst *inst, const SimSpan *span, const SimFit *fit, uint32_t mask);
// In a replay: tells of the races that the run told of here and a replay cannot find.
void sim_races_expected(SimExec *exec);

#endif
