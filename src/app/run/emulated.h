// emulated.h: the moment of an emulated block that a moment of the same block on a GPU corresponds to.
//
// A GPU's trace has no registers and no memory. The emulator executes the block again; but its warps take other turns, so
// that a step of the one is no step of the other. What does correspond is the progress of a warp: its n-th event is its
// n-th event in both, as long as it goes the same way.
//
//   GPU       w0 w1 w0 w1 [w1] w0 ...         the cursor is at the 3rd event of w1
//   emulator  w0 w0 w0 w1 w1 [w1] ...         so this is where w1's registers are the same
//
// Whether a warp went the same way is seen from the instructions and from the lanes active at each of them.
#ifndef LS_APP_EMULATED_H
#define LS_APP_EMULATED_H

#include "sim/sim.h"
#include "trace/trace.h"

typedef struct Emulated Emulated;
Emulated *emulated_new(void);
void emulated_free(Emulated *emulated);   // NULL is fine

// Finds the event of the emulated block (as sim_replay_seek counts) with which `warp` has made `count` events: UINT64_MAX
// for none. `block` is that of the trace. seconds: that this may take, 0: any. False with LS_ECANCEL when there is more to
// do (ask again); with LS_EUNSUPPORTED, and why, when the emulator went another way.
bool emulated_find(Emulated *emulated, SimReplay *replay, Trace *trace, const TraceBlock *block, int warp, uint64_t count,
                   double seconds, uint64_t *event, LsErr *err);

#endif
