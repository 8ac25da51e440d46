// shape_access.h: accesses that are like one before: see core/shape.h.
#ifndef LS_SIM_SHAPE_ACCESS_H
#define LS_SIM_SHAPE_ACCESS_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

// The handler of a `shaped` load or store: executes it at once if its addresses are like those of one before, else as
// sim_exec_mem does.
SimNext sim_exec_shaped(SimExec *exec, const SimInst *inst, uint32_t mask);
// Gives them SimInst.lean, which makes use of what the code tells: how to do without what makes the addresses
// (SimMem.indexed), and which other access may have told how far the lanes are apart (SimMem.kin).
void sim_shaped_choose(SimProgram *program);
// Learns from an access at exec->pc that is inside span, whose addresses are in exec->addr, before its bytes are moved.
void sim_shape_learn(SimExec *exec, const SimInst *inst, uint32_t mask, const SimSpan *span, const SimFit *fit,
                     TraceSpace space, bool generic);

#endif
