// units.h: the blocks of a grid in units, on this thread or on several.
#ifndef LS_SIM_UNITS_H
#define LS_SIM_UNITS_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

void sim_run_units(SimExec *exec);                         // until the end, a fatal fault or cancel
// Blocks of a unit in the next stretch of the grid, when so many are done.
uint32_t sim_unit_blocks(const SimExec *exec, uint32_t done, uint32_t stretch);

#endif
