// abreast.h: many stints at once, of warps that go round the same loop side by side.
#ifndef LS_SIM_ABREAST_H
#define LS_SIM_ABREAST_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

// At the start of a pass (stints.h): if all warps that go on are in the middle of one loop whose rounds can be counted,
// as many passes as none of them leaves it in are executed, in the same order and told as passes. `room`: instructions
// that may still be executed. Where somebody wants to know more of an access, that is where the block stands then: in
// the middle of that warp's stint.
void sim_abreast_run(SimExec *exec, uint64_t room);
void sim_abreast_free(SimExec *exec);   // what it remembers

#endif
