// run.h: the run of a grid, and one turn of a block.
#ifndef LS_SIM_RUN_H
#define LS_SIM_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

void sim_run_start(SimExec *exec, TraceSink *sink);
void sim_run_end(SimExec *exec);                           // tells the sink what was counted
void sim_block_start(SimExec *exec, uint32_t block);
// From where the block begins or goes on, to where it ends or has to wait.
void sim_run_turn(SimExec *exec);
void sim_progress(SimExec *exec, uint64_t blocks_done, bool always);

#endif
