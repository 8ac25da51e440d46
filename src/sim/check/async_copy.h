// async_copy.h: asynchronous copies between their start and the wait for them.
#ifndef LS_SIM_ASYNC_COPY_H
#define LS_SIM_ASYNC_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/core/exec.h"

void sim_async_copy_new(SimExec *exec);
void sim_async_copy_free(SimExec *exec);
void sim_async_copy_start(SimExec *exec, const SimInst *inst, uint32_t mask);   // the store of a copy
// Where the copy that was just started comes from; with a source in shared memory, all that there is to know of it.
void sim_async_copy_source(SimExec *exec, const SimMem *from, TraceSpace space, uint32_t mask, const uint32_t *bytes);
void sim_async_copy_commit(SimExec *exec, uint32_t mask, bool bulk);   // closes the group of each lane
void sim_async_copy_wait(SimExec *exec, uint32_t mask, bool bulk, uint32_t keep);   // but for the last `keep` groups
void sim_async_copy_track(SimExec *exec, uint32_t mask, bool bulk);
void sim_async_copy_phase(SimExec *exec, uint32_t mbarrier);   // has ended
void sim_async_copy_seen(SimExec *exec, uint32_t mbarrier);   // somebody has seen that
// A store: does it hit the source of a copy?
void sim_async_copy_store(SimExec *exec, const SimInst *inst, uint32_t mask, TraceSpace space);
void sim_async_copy_block(SimExec *exec);   // a new block
size_t sim_async_copy_bytes(const SimExec *exec);
void sim_async_copy_save(const SimExec *exec, uint8_t *to);
void sim_async_copy_load(SimExec *exec, const uint8_t *from);

#endif
