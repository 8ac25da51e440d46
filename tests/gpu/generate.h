// generate.h: whole random programs. The same seed gives the same program, inputs and launch.
#ifndef LS_TESTS_GPU_GENERATE_H
#define LS_TESTS_GPU_GENERATE_H

#include "batch.h"
#include "forms.h"

// 20 to 200 instructions without a branch, over full warps; the result is every register of every thread.
void generate_straight(Batch *batch, const Forms *forms, uint64_t seed);
// The same with all registers stored after every instruction: the first that differs tells which instruction it was.
// (What the driver's compiler makes of several instructions together is not seen then.)
void generate_watched(Batch *batch, const Forms *forms, uint64_t seed);

// Branches, loops, tables of branches and calls, taken by some lanes and not by others; shared, local and global
// memory, barriers, operations of warps and atomics. Every result is determined: a thread reads what another wrote only
// behind a barrier, atomics on one place all commute, and warp operations name the lanes that come.
void generate_structured(Batch *batch, const Forms *forms, uint64_t seed);

#endif
