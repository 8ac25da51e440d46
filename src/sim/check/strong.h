// strong.h: strong accesses of words (volatile, relaxed, acquire, release, atomic), and which pairs of accesses may not
// meet.
//
// Two strong accesses are no race (PTX ISA, Memory Consistency Model: morally strong) if the scope of each takes in the
// other's thread. Volatile ones are strong, too, but what is computed from a value that somebody may just be changing
// is as wrong as in a race: of two volatile accesses only a look at a flag (analysis/strong_uses.c) may meet a store. A
// load and a store that change a word are two steps: whatever else is stored in between is lost.
#ifndef LS_SIM_STRONG_H
#define LS_SIM_STRONG_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/check/fault.h"
#include "sim/core/exec.h"

typedef enum SimConflict {
  SIM_NO_CONFLICT, SIM_RACE,
  SIM_RACE_OF_SCOPES,          // atomics of different blocks, of which one is for its own block only
  SIM_RACE_OF_VOLATILES,
  SIM_LOST_UPDATE,
  SIM_UNCHECKED_READ,          // a plain read, which an atomicCAS of the same thread checks, and somebody's atomic
} SimConflict;

// If nothing orders the two. how: bits of SimMem.how.
SimConflict sim_conflict(uint32_t mine, uint32_t theirs, bool same_block);

// block: its number + 1, 0: nobody; writer: epoch << 6 | warp; info: pc << 10 | lane << 5 | warp; how: bits of
// SimMem.how; bytes of the word; number: of strong accesses in the order in which they ran.
typedef struct SimStrongAccess { uint32_t block, writer, info, number; uint16_t how, bytes; } SimStrongAccess;
typedef struct SimLook { uint32_t block, number; } SimLook;

// The last ones of a word: [0] is the latest, [1] of another block, or else of another warp, [2] of the same warp as [0]
// and another lane, which a plain access of the latest lane may meet.
enum { SIM_STRONG_LAST = 3 };
typedef struct SimStrongWrites { SimStrongAccess last[SIM_STRONG_LAST]; } SimStrongWrites;
typedef struct SimStrongReads {
  SimStrongAccess last[SIM_STRONG_LAST];
  SimLook looks[2];                                      // also of atomics
} SimStrongReads;

// An atomicCAS that fails, or brings what was there, writes nothing: it is a read.
static inline bool sim_lane_writes(const SimExec *exec, const SimInst *inst, uint32_t lane) {
  const SimMem *m = inst->more;
  if (inst->kind != TRACE_ATOM || m->op != PTX_AT_CAS) return inst->kind != TRACE_LOAD;
  return !(exec->only_looked >> lane & 1);
}

// Strong for all blocks, neither volatile nor half of a change, and no guess: whoever else is strong for all blocks may
// meet it, unless it is half of a change, in whatever order.
static inline bool sim_meets_all(uint32_t how) {
  return (how & (SIM_STRONG | SIM_VOLATILE | SIM_BLOCK_SCOPE | SIM_UPDATES | SIM_GUESSES)) == SIM_STRONG;
}

// May such an access meet one that does this?
static inline bool sim_is_met(uint32_t how) { return !(how & (SIM_BLOCK_SCOPE | SIM_UPDATES | SIM_GUESSES)); }

// Are the last ones of a word all such that it may meet them? Those that are not there have no bits.
static inline bool sim_are_met(const SimStrongAccess last[SIM_STRONG_LAST]) {
  return sim_is_met(last[0].how | last[1].how | last[2].how);
}

// Is the running access an atomic, and the weak read at other_pc a guess that a CAS checks?
bool sim_meets_guess(const SimExec *exec, const SimInst *inst, int32_t other_pc);

SimStrongAccess sim_strong_now(const SimExec *exec, uint32_t how, uint32_t lane, uint32_t bytes);
// `now`, but with this info (other lanes).
static inline void sim_strong_note_as(SimStrongAccess last[SIM_STRONG_LAST], const SimStrongAccess *now,
                                      uint32_t info) {
  bool same_block = last[0].block == now->block;
  bool same = same_block && !((last[0].writer ^ now->writer) & 31) && last[0].bytes & now->bytes;
  bool keeps_other = same_block && last[1].block && last[1].block != now->block;
  if (!same && !keeps_other) last[1] = last[0];
  if (!same) last[2] = (SimStrongAccess){0};
  else if ((last[0].info ^ info) >> 5 & 31) last[2] = last[0];
  last[0] = *now;
  last[0].info = info;
}
void sim_strong_note(SimStrongAccess last[SIM_STRONG_LAST], const SimStrongAccess *now);
void sim_strong_note_look(SimStrongReads *reads, const SimStrongAccess *now);

// The access that the running warp's lane, which does `how` to `bytes` of the word, must not meet; NULL: there is none.
// Either table may be NULL.
const SimStrongAccess *sim_strong_conflict(const SimExec *exec, const SimStrongWrites *writes,
                                           const SimStrongReads *reads, const SimStrongAccess *now, SimConflict *kind);

// Tells it. what: mask, space, addr, size, and the other party are set.
void sim_strong_fault(SimExec *exec, SimFaultPlace *what, SimConflict kind, uint32_t mine, uint32_t theirs);

#endif
