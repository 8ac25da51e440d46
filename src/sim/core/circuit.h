// circuit.h: a way round a loop that a warp has gone: of which instructions, and what each round changes.
//
// Made by analysis/circuits.c of a way that was gone once, and gone again by grid/circuits.c, many rounds at once.
#ifndef LS_SIM_CIRCUIT_H
#define LS_SIM_CIRCUIT_H

#include "base/mem.h"
#include "sim/core/block.h"
#include "sim/core/program.h"

enum { SIM_CIRCUIT_LONGEST = 512, SIM_CIRCUIT_PHASES = 4, SIM_CIRCUIT_ADDENDS = 4, SIM_CIRCUIT_WALKS = 96,
       SIM_CIRCUIT_ACCESSES = 48 };

// Something that all lanes have in a slot, or a constant: then there is no slot.
typedef struct SimFixed { uint32_t slot; uint64_t number; bool is_wide, is_number; } SimFixed;

// A register that comes out of a round as it went in, plus what stays.
typedef struct SimPhase {
  uint32_t slot;
  bool is_wide;
  SimFixed addends[SIM_CIRCUIT_ADDENDS]; int addend_count;
  uint8_t negative;        // a bit for each that is taken away
} SimPhase;

// By how much a value grows in each round, from what those grow by that it is made of.
typedef enum SimGrowth { SIM_GROWS_PHASE, SIM_GROWS_BOTH, SIM_GROWS_APART, SIM_GROWS_TIMES,
                         SIM_GROWS_SHIFTED, SIM_GROWS_WIDER } SimGrowth;
typedef struct SimGrows {
  uint8_t how;             // SimGrowth
  bool is_wide, is_signed;
  int16_t a, b;            // of SimCircuit.walks; of a phase its number
  SimFixed by;             // TIMES, SHIFTED
  uint32_t slot; bool ahead;   // WIDER: what may not wrap, of 32 bits, as in SimTrackAccess
} SimGrows;

typedef enum SimTrackKind { SIM_TRACK_OP, SIM_TRACK_ACCESS, SIM_TRACK_PASS } SimTrackKind;
typedef struct SimTrack {  // something to be executed
  uint8_t kind;
  int16_t at;              // its place on the way
  int16_t access;          // of SimCircuit.accesses
  const SimInst *inst;
  SimPassed from, to;      // PASS: an argument or a result
} SimTrack;

enum { SIM_ACCESS_STAYS = -1, SIM_ACCESS_ANYWHERE = -2 };
typedef struct SimTrackAccess {
  const SimInst *inst;
  int16_t at, walk;        // walk: its address grows with; or it stays, or may go anywhere
  bool ahead;              // the address in the register is that of the round before, when a round begins
  bool is_own;             // of a call's arguments or results
} SimTrackAccess;

typedef struct SimStretch { int32_t pc; int16_t at, count; bool single; } SimStretch;   // single: counted by itself

typedef struct SimCircuit {
  int length;              // instructions
  SimStretch *stretches; int stretch_count;
  int32_t *told; int16_t *told_at; int told_count;   // told in sums: branches, calls, returns
  SimPhase phases[SIM_CIRCUIT_PHASES]; int phase_count;
  SimGrows walks[SIM_CIRCUIT_WALKS]; int walk_count;
  SimTrackAccess accesses[SIM_CIRCUIT_ACCESSES]; int access_count;
  SimTrack *members; int member_count;   // executed in each round
  SimTrack *others; int other_count;     // what can be made up for: from the phases, and in this order
  // The test: goes on if the walk's value, in a slot, is less than the bound: 1, equal: 2, greater: 4.
  SimFixed tested, bound;
  int test; bool ahead, is_signed;
  uint8_t accepts;
} SimCircuit;

// How often a way led from there back to it, and what is known of it. Who fails is left alone for a while.
typedef enum SimHeadState { SIM_HEAD_NEW, SIM_HEAD_KNOWN, SIM_HEAD_HOPELESS } SimHeadState;
typedef struct SimHead {
  const SimCircuit *circuit;
  const int32_t *way; int length;        // pcs
  uint8_t state, tries, patience;
  uint16_t skip;
} SimHead;

// The way that the running group is on, since it passed a head.
typedef struct SimTrail {
  int32_t head;            // pc, -1: it is on none
  int at;                  // instructions since then
  bool records;
  int32_t pc; uint32_t block;            // of one that a warp left when its turn was used up
} SimTrail;

typedef struct SimCircuits {
  SimHead *heads;          // per pc
  LsArena *arena;
  SimTrail trail, left[SIM_MAX_WARPS];   // left: of each warp; head -1: it is on none
  int32_t way[SIM_CIRCUIT_LONGEST];      // while it is recorded
} SimCircuits;

#endif
