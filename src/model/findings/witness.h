// witness.h: what some blocks of a run did, as closely as the findings need it: addresses, lanes that part, barriers.
//
// A sink like the counters, but it looks only at a few blocks, the same ones however many threads a run has: the
// first, the last, and two between. Of all of them together it follows WITNESS_EVENTS accesses, branches and
// barriers, the first ones of each. Everything is per block and per instruction ("site"):
//
//   shapes      the accesses as they were, each distinct one once (apart from where it lies), with how often it came
//   first       where each thread's first access went: from it follows how addresses depend on threadIdx
//   memory      what other threads loaded before, and what of a sector nobody wants (witness_memory.h)
//   sync        what is exchanged across barriers (witness_sync.h)
//   round       how far a warp's next access of the same instruction is from its last one
//
// A trace that was opened, and was not seen while it was made, is followed by witness_read.
#ifndef LS_MODEL_WITNESS_H
#define LS_MODEL_WITNESS_H

#include "ptx/module.h"
#include "trace/trace.h"

enum { WITNESS_BLOCKS = 4, WITNESS_SHAPES = 12, WITNESS_EVENTS = 24576 };

// Accesses that are the same up to a distance that changes nothing of what they cost.
typedef struct WitnessShape {
  uint64_t count, hash;
  uint32_t mask;
  uint16_t warp;             // of the first one, whose addresses these are
  int units, least;          // wavefronts, sectors or addresses of one, and the least there could be
  int bytes;                 // of global memory: distinct ones
  int excused;               // of global memory: sectors beyond the least that no order could spare (witness_shape.c)
  uint64_t addr[32];
} WitnessShape;

// Lanes that part at a branch.
typedef struct WitnessParting { uint64_t count; uint32_t active, taken; } WitnessParting;

typedef struct WitnessSite {
  uint8_t kind, space, width;          // of the event; space of the first
  bool mixed;                          // a generic access that went to several spaces: only the first is followed
  uint64_t executions, units, least, excused;
  WitnessShape *shapes; int shape_count, shape_capacity;
  uint64_t unshaped;                   // executions whose shape had no room
  uint64_t *first;                     // [threads]; first_known says of which
  uint8_t *first_known;
  struct WitnessRound { uint64_t last, rounds; uint32_t mask; } *warps;   // [warps]
  int64_t round; int64_t round_votes;  // the distance between rounds that most have (Boyer and Moore's majority vote)
  uint64_t round_all, round_same;      // rounds seen, and those at that distance as far as the vote tells
  uint64_t bytes, again;               // LOAD GLOBAL: bytes that requests wanted; of these what others had loaded
  uint64_t changes, again_changed;     // ATOM: lanes; of these those at an address that the block has changed before
  WitnessParting partings[WITNESS_SHAPES]; int parting_count;   // BRANCH
  uint64_t parted;                     // executions at which lanes parted
} WitnessSite;

typedef struct WitnessBlock {
  uint32_t block;
  bool whole;                          // followed to its end
  uint64_t events;
  WitnessSite **sites;                 // [code_count]; NULL: never executed
  struct WitnessMemory *memory;        // witness_memory.h
  struct WitnessSync *sync;            // witness_sync.h
} WitnessBlock;

typedef struct Witness Witness;
// Lanes, and executions by warps, of an instruction; absent: lanes that its warps do not have, since the block is no
// multiple of 32.
typedef struct WitnessTally { uint64_t warps, lanes, absent; } WitnessTally;

// module and next are borrowed. Everything that the witness is told it tells next, too (NULL: nobody): nearly all
// blocks are of no concern to it, and then it costs next to nothing. by_event: the device tells no accesses of all
// blocks (a GPU, or another machine), but events of recorded ones.
Witness *witness_new(const PtxModule *module, const Launch *launch, bool by_event, TraceSink *next);
void witness_free(Witness *witness);                                   // NULL is fine
TraceSink *witness_sink(Witness *witness);                             // can be forked if next can
// Follows a trace instead, with a new witness. Tallies are then of the recorded blocks if the trace does not tell
// which lanes warps lack. False if the trace is damaged.
bool witness_read(Witness *witness, Trace *trace);

// The blocks that are followed, if they are seen. Returns how many.
int witness_choice(uint64_t blocks, uint32_t out[WITNESS_BLOCKS]);
int witness_blocks(const Witness *witness);                            // how many were seen
const WitnessBlock *witness_block(const Witness *witness, int index);
const WitnessSite *witness_site(const Witness *witness, int index, int pc);   // NULL: not executed there
WitnessTally witness_tally(const Witness *witness, int pc);
bool witness_knows_absent(const Witness *witness);                     // else absent is 0 where it need not be

#endif
