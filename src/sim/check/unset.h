// unset.h: uses of registers that nothing has set, at the instructions that are watched for it (analysis/unset.c).
#ifndef LS_SIM_UNSET_H
#define LS_SIM_UNSET_H

#include "sim/core/exec.h"

// Around an instruction with SimInst.watched. Before: reports what it uses, and says which lanes' results will be as good
// as set. After: notes that for the lanes that it wrote (exec->wrote).
uint32_t sim_unset_before(SimExec *exec, int32_t pc, uint32_t mask);
void sim_unset_after(SimExec *exec, int32_t pc, uint32_t good);

#endif
