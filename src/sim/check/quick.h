// quick.h: checks of accesses whose shape is known (core/shape.h), where all lanes are judged at once.
#ifndef LS_SIM_QUICK_H
#define LS_SIM_QUICK_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

// Whether accesses of this shape can be judged here at all.
bool sim_quick_fits(const SimInst *inst, const SimShape *shape);
// Judges the access at exec->pc before its bytes are moved. False: that takes a closer look, and nothing is noted yet
// that would not be noted then. place: of the first lane's bytes.
bool sim_quick_judge(SimExec *exec, const SimShape *shape, const uint8_t *place);

#endif
