// happens_before.h: what blocks have made known to one another.
#ifndef LS_SIM_HAPPENS_BEFORE_H
#define LS_SIM_HAPPENS_BEFORE_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

void sim_happens_before_release(SimExec *exec, const uint32_t *clock);
void sim_happens_before_acquire(SimExec *exec);
bool sim_happens_before_has(const SimExec *exec, uint32_t block, int warp, uint32_t epoch);
void sim_happens_before_free(SimExec *exec);

#endif
