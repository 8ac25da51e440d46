// unchanged.h: stores of the value that is there already.
//
// Two stores of one value are no race that anybody could see: whoever comes last leaves the same.
#ifndef LS_SIM_UNCHANGED_H
#define LS_SIM_UNCHANGED_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

// Does memory hold what the lane of a store stores, in all elements of a vector? The lane is inside span.
bool sim_is_unchanged(const SimExec *exec, const SimMem *m, const SimSpan *span, uint32_t lane);
// The same of some bytes (bits 0 to 3) of a word of shared memory.
bool sim_is_unchanged_shared(const SimExec *exec, const SimMem *m, uint32_t lane, uint64_t word, uint32_t bytes);

#endif
