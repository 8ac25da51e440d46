// parallel.h: the crew: threads that run units of blocks.
#ifndef LS_SIM_PARALLEL_H
#define LS_SIM_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

bool sim_may_part(const SimExec *exec);                    // is it possible that several threads run its blocks?
bool sim_crew_new(SimExec *exec);                          // false: there is nobody to have
void sim_crew_free(SimExec *exec);                         // ends them; what they counted is added up
// Where the budget ends is up to one thread: it would have to do all again. `done`: blocks.
bool sim_will_exceed_budget(const SimExec *exec, uint32_t done);
// Runs blocks first to end - 1 in units of `blocks`; 0: as long as seems good, which depends on the number of threads.
// Returns the first block whose unit had to be given up, or end.
uint32_t sim_crew_run(SimExec *exec, uint32_t first, uint32_t end, uint32_t blocks);

#endif
