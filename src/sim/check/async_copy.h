// async_copy.h: asynchronous copies between their start and the wait for them.
#ifndef LS_SIM_ASYNC_COPY_H
#define LS_SIM_ASYNC_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/core/exec.h"

void sim_pending_new(SimExec *exec);
void sim_pending_free(SimExec *exec);
void sim_pending_start(SimExec *exec, const SimInst *inst, uint32_t mask);   // the store of a copy
// Where the copy that was just started comes from; with a source in shared memory, all that there is to know of it.
void sim_pending_source(SimExec *exec, const SimMem *from, TraceSpace space, uint32_t mask, const uint32_t *bytes);
void sim_pending_commit(SimExec *exec, uint32_t mask, bool bulk);   // closes the group of each lane
void sim_pending_wait(SimExec *exec, uint32_t mask, bool bulk, uint32_t keep);   // for all closed groups but the last `keep`
void sim_pending_track(SimExec *exec, uint32_t mask, bool bulk);
void sim_pending_phase(SimExec *exec, uint32_t mbarrier);   // has ended
void sim_pending_seen(SimExec *exec, uint32_t mbarrier);   // somebody has seen that
void sim_pending_store(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space);   // does it hit a source?
void sim_pending_block(SimExec *exec);   // a new block
size_t sim_pending_bytes(const SimExec *exec);
void sim_pending_save(const SimExec *exec, uint8_t *to);
void sim_pending_load(SimExec *exec, const uint8_t *from);

#endif
