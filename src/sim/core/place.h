// place.h: where a lane is, for people.
#ifndef LS_SIM_PLACE_H
#define LS_SIM_PLACE_H

#include <stdint.h>
#include "base/text.h"
#include "sim/core/exec.h"

// What happens in a function of the toolkit's headers happens where it is called.
int32_t sim_reported_pc(const SimExec *exec, const SimWarp *warp, const SimLanes *group, int32_t pc);
void sim_fault_where(const SimProgram *program, int32_t pc, LsText *out);   // "reduce.cu:12"
void sim_fault_lanes(uint32_t mask, LsText *out);                           // "lanes 0-15"

#endif
