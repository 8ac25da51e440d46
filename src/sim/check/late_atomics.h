// late_atomics.h: atomics that words remember late, or never.
//
// Words that only atomics change are in no race, and nobody asks who came last as long as nothing else happens near
// them. Such an atomic is written down as a row: who, and which words. Whoever asks has the rows noted first; of many
// rows only what is still to be seen afterwards in tables of the last accesses (strong.h).
#ifndef LS_SIM_LATE_ATOMICS_H
#define LS_SIM_LATE_ATOMICS_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/check/strong.h"
#include "sim/core/exec.h"

enum { SIM_LATE_BYTES = 16 << 10 };   // of memory that the words of a list may lie in

typedef struct SimLateAtomics SimLateAtomics;   // a list; NULL: nothing was ever in it. free() ends it

// Notes an access, with these lanes in its info, to a word: a number from 0 on.
typedef void (*SimLateNote)(void *owner, uint32_t word, const SimStrongAccess *now, uint32_t info);

// The lanes of mask do `now` to a whole word each, at addr; first: the address of word 0. A list that is full is noted
// first. False: some word lies behind the last one, and nothing is written down.
bool sim_late_atomics_add(SimLateAtomics **late, const SimLaneOps *ops, const SimStrongAccess *now,
                          const uint64_t addr[SIM_LANES], uint64_t first, uint32_t mask, SimLateNote note, void *owner);
void sim_late_atomics_note(SimLateAtomics *late, SimLateNote note, void *owner);   // and forgets them
void sim_late_atomics_drop(SimLateAtomics *late);                                  // not NULL

#endif
