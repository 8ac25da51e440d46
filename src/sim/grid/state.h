// state.h: the whole state of a block as a run of bytes.
#ifndef LS_SIM_STATE_H
#define LS_SIM_STATE_H

#include <stddef.h>
#include <stdint.h>
#include "sim/core/exec.h"

size_t sim_state_size(SimExec *exec);
void sim_state_save(SimExec *exec, uint8_t *to);
void sim_state_load(SimExec *exec, const uint8_t *from);

#endif
