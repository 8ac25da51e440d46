// shape_access.h: accesses that are like one before: see core/shape.h.
#ifndef LS_SIM_SHAPE_ACCESS_H
#define LS_SIM_SHAPE_ACCESS_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

// The handler of a `shaped` load or store: executes it at once if its addresses are like those of one before, else as
// sim_exec_mem does.
SimNext sim_exec_shaped(SimExec *exec, const SimInst *inst, uint32_t mask);
// The same as SimInst.lean. SimMem.indexed, if there is one, says how to do without the code that makes the addresses,
// and how to make up for it.
SimNext sim_lean_shaped(SimExec *exec, const SimInst *inst, uint32_t mask);
// Learns from an access at exec->pc that is inside span, whose addresses are in exec->addr, before its bytes are moved.
void sim_shape_learn(SimExec *exec, const SimInst *inst, uint32_t mask, const SimSpan *span, const SimFit *fit,
                     TraceSpace space, bool generic);

#endif
