// spin.h: loops that wait for other threads: for a lock, a flag, their turn. How often such a loop turns depends on how fast the
// others are, so what it moved while the kernel was traced, and ran slower, says little about a run without tracing.
//
// A loop waits if one of its branches hangs on what an instruction in it read that is written to be read again: a compare-and-swap,
// an exchange, an addition of nothing, a volatile, relaxed or acquiring load of global memory; directly, or in a function that it
// calls. A counter of work (atomicAdd(&next, 1)) makes as many turns however fast they are: that is no waiting.
#ifndef LS_MODEL_SPIN_H
#define LS_MODEL_SPIN_H

#include "ptx/module.h"

// Fills place[pc] (code_count of them) for the instructions of such loops and of what they call: pc of what the loop hangs on,
// where the wait is in the source; -1 for all others. Returns how many loops there are.
int spin_find(const PtxModule *module, int *place);

#endif
