// witness_sync.h: what is exchanged across the barriers of one block: which of them some warp needs.
//
// Epochs are counted by barriers: what happens before the first one is in epoch 0. If warp A wrote a word in epoch a,
// and warp B reads or overwrites it in epoch b > a (or A read it and B overwrites it), one of the barriers a .. b-1
// is needed: such a pair is a "need". Lanes of one warp need no barrier of the block for what they exchange. Shared
// memory is watched by words, global memory by sectors, which may see a need where there is none, but never the other
// way round.
#ifndef LS_MODEL_WITNESS_SYNC_H
#define LS_MODEL_WITNESS_SYNC_H

#include "trace/trace.h"

typedef struct WitnessSync WitnessSync;
// The barrier that ended an epoch: where the warps were that arrived. pc is -1 if they were at several instructions.
typedef struct WitnessBarrier { int32_t pc; bool needed; uint16_t warps; } WitnessBarrier;
// One of the barriers first .. last is needed.
typedef struct WitnessNeed { int32_t first, last; } WitnessNeed;

WitnessSync *witness_sync_new(void);
void witness_sync_free(WitnessSync *sync);         // NULL is fine
void witness_sync_event(WitnessSync *sync, const TraceEvent *event);   // any but EXEC, in order
// False: there was more than can be followed, or barriers of another kind: nothing is known.
bool witness_sync_is_clear(const WitnessSync *sync);
const WitnessBarrier *witness_sync_barriers(const WitnessSync *sync, int *count);   // `needed`: by a need for it alone
const WitnessNeed *witness_sync_needs(const WitnessSync *sync, int *count);         // of more than one barrier

#endif
