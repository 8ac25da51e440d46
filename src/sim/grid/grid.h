// grid.h: turns of blocks.
#ifndef LS_SIM_GRID_H
#define LS_SIM_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include "sim/core/exec.h"

// How many blocks can be there, and is that enough? state_bytes: of a block that is put away.
bool sim_grid_check(SimProgram *program, size_t state_bytes, LsErr *err);
// Makes the block that has its turn next the running one: a new one, or one that waited. False: there is none.
bool sim_grid_next(SimExec *exec);
void sim_grid_leave(SimExec *exec);                        // the running block has ended or waits
void sim_grid_copy(SimGrid *to, const SimGrid *from);      // what `to` held is freed
void sim_grid_free(SimGrid *grid);

#endif
