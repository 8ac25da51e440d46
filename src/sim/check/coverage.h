// coverage.h: how much of its results a kernel wrote.
//
// Buffers that begin without contents, that are outputs, or that the code may write have a cover each (trace/coverage.h)
// while a run looks for reads of what nobody wrote. Replays have none.
#ifndef LS_SIM_COVERAGE_H
#define LS_SIM_COVERAGE_H

#include "sim/core/exec.h"

void sim_coverage_new(SimMemory *memory, const SimProgram *program);   // before a run, with nothing written
void sim_coverage_clear(SimMemory *memory);
void sim_coverage_free(SimMemory *memory);
// The lanes of mask store to exec->addr, inside of span; fit may be that of other lanes, or {0}.
void sim_coverage_store(SimExec *exec, const SimInst *inst, const SimSpan *span, const SimFit *fit, uint32_t mask);
void sim_coverage_send(const SimExec *exec);                           // to the sink

#endif
