// happens_before.h: what blocks have made known to one another.
#ifndef LS_SIM_HAPPENS_BEFORE_H
#define LS_SIM_HAPPENS_BEFORE_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

void sim_publish(SimExec *exec, const uint32_t *clock);
void sim_publish_look(SimExec *exec);
bool sim_publish_knows(const SimExec *exec, uint32_t block, int warp, uint32_t epoch);
void sim_published_free(SimExec *exec);

#endif
