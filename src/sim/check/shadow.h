// shadow.h: who wrote and who read shared memory, and which bytes nobody wrote.
#ifndef LS_SIM_SHADOW_H
#define LS_SIM_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/core/exec.h"

enum { SIM_LAST_EPOCH = 60000000 };   // of race checking

typedef struct SimShadow SimShadow;
SimShadow *sim_shadow_new(uint64_t shared_bytes);
void sim_shadow_free(SimShadow *shadow);
void sim_shadow_clear(SimShadow *shadow);
size_t sim_shadow_bytes(SimShadow *shadow);
void sim_shadow_save(SimExec *exec, uint8_t *to);
void sim_shadow_load(SimShadow *shadow, const uint8_t *from);
void sim_shadow_start(SimExec *exec);   // a new block
void sim_shadow_meet(SimExec *exec, uint32_t warps);   // these warps met at a barrier
void sim_shadow_fence(SimExec *exec, bool wide);   // wide: for other blocks, too
// Lanes of the running warp met. Not at a barrier, but in a shuffle or vote: that orders no memory (CUDA guide, "do not
// imply a memory barrier"), but what they have read by then they have.
void sim_shadow_lanes_met(SimExec *exec, bool barrier);
void sim_shadow_access(SimExec *exec, const SimInst *inst, uint32_t mask, bool writes);   // shared, exec->addr
void sim_shadow_strong(SimExec *exec, const SimInst *inst, uint32_t mask);   // a strong access of any space
void sim_shadow_same(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space,
                     const SimSpan *span);   // lanes of one store on the same place
void sim_shadow_init(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space, const SimSpan *span,
                     const SimFit *fit);

bool sim_shadow_is_whole(SimExec *exec);   // nobody can read there what nobody wrote, any more
void sim_shadow_look_whole(SimExec *exec);

// info: as of a write
void sim_shadow_copy_starts(SimExec *exec, uint64_t at, int bytes, uint32_t info, bool reduces);
void sim_shadow_copy_ends(SimExec *exec, uint64_t at, int bytes, uint32_t info, uint32_t epoch);

#endif
