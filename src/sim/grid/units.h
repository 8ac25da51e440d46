// units.h: the blocks of a grid in units, on this thread or on several.
#ifndef LS_SIM_UNITS_H
#define LS_SIM_UNITS_H

#include "sim/core/exec.h"

void sim_run_units(SimExec *exec);                         // until the end, a fatal fault or cancel

#endif
