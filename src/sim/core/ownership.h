// ownership.h: which thread may use which words of global memory.
#ifndef LS_SIM_OWNERSHIP_H
#define LS_SIM_OWNERSHIP_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

void sim_ownership_new(SimExec *exec);
void sim_ownership_free(SimExec *exec);
// Has an access to be claimed? Not one to a buffer that the kernel only reads, or in which no two blocks meet.
static inline bool sim_ownership_asks(const SimAlloc *a, const SimMem *m, bool is_store) {
  return a->is_disjoint ? m->disjoint != a : is_store || a->owners;
}
// Before global memory is used. False: a word is another's, and the worker stops.
bool sim_ownership_claim(SimExec *exec, const SimInst *inst, const SimSpan *span, const SimFit *fit, uint32_t mask);
// The same of an access that is like one before; `place`: of its first lane.
bool sim_ownership_claim_shape(SimExec *exec, const SimShape *shape, const uint8_t *place);
// A word, `offset` bytes into the allocation, that an atomic changes as other threads do.
bool sim_ownership_claim_joint(SimExec *exec, const SimInst *inst, const SimSpan *span, uint64_t offset);
bool sim_ownership_claim_joint_all(SimExec *exec, const SimInst *inst, const SimSpan *span);   // all of the buffer
bool sim_ownership_claim_read(SimExec *exec, const SimAlloc *alloc, uint64_t offset, uint64_t size);
// What comes now depends on the blocks before: a worker stops, and the crew with it. Others claim no more.
void sim_give_up(SimExec *exec);

#endif
