// checks.h: what a thread keeps to check its blocks.
#ifndef LS_SIM_CHECKS_H
#define LS_SIM_CHECKS_H

#include "sim/core/exec.h"

void sim_checks_new(SimExec *exec);                        // after sim_exec_new
void sim_checks_free(SimExec *exec);                       // before sim_exec_free

#endif
