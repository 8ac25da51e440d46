// block.h: what a running block changes, apart from the bytes of memory: its warps, barriers, and turns.
//
// It is plain memory without pointers, so that a checkpoint is a copy.
#ifndef LS_SIM_BLOCK_H
#define LS_SIM_BLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/regs.h"

enum {
  SIM_MAX_WARPS = 32, SIM_BARRIERS = 16,
  SIM_CLUSTER_BARRIER = SIM_BARRIERS, SIM_ALL_BARRIERS,
  SIM_MAX_DEPTH = 96,                       // calls a thread may be inside
  SIM_MAX_CONVS = SIM_MAX_DEPTH + 96,       // a convergence barrier per call, and some per divergent branch
  SIM_TURN = 4096,                          // warp instructions before another warp has its turn
  SIM_SLICE = 256,                          // before another group of lanes of the same warp has its turn
  SIM_MOST_ASIDE = 64,                      // that lanes execute while others wait for them, without turns
  SIM_STINT = 16,                           // where warps take turns: of a turn, before another warp goes on with its
                                            // own
};

typedef enum SimGroupState { SIM_GROUP_RUN, SIM_GROUP_BARRIER, SIM_GROUP_SYNC } SimGroupState;

typedef struct SimLanes {  // lanes of a warp that run together
  uint32_t mask;
  int32_t pc;
  int16_t conv;            // innermost convergence barrier they belong to, -1
  uint16_t depth;          // of calls
  uint8_t state;           // SimGroupState
  uint8_t barrier;         // BARRIER: number
  bool forced;             // SYNC: goes on without the lanes that never come
  bool joined;             // their next event is the first after they met
  uint32_t members;          // SYNC: member mask
} SimLanes;

// A convergence barrier: set where lanes part, it collects them at `pc`. Free if members is 0.
typedef struct SimConv {
  uint32_t members, arrived;
  int32_t pc;
  int16_t parent;
  uint16_t depth;
  int32_t node;            // which place of its function it is for (PtxMeeting); -1: behind a call, for an instruction
  bool left;               // some lanes went where they do not come to it any more
  uint16_t recursion;      // it is of a level of this function (SimFunc.levels), counted from 1; 0: of none
  bool parts, most_leave;  // of a level: lanes leave the recursion there, and at least as many as go on
} SimConv;

// A turn that is taken in pieces (grid/stints.c): what is put away while others go on. Numbers are differences, so that
// what the others do meanwhile does not count.
typedef struct SimStint {
  bool open;                               // the turn goes on
  bool served, spent;                      // had a turn in this round; and all of it: the next one is in the next round
  bool resume, looked, alert, quiet;       // of SimBlock and SimWait
  int32_t left, slice;
  uint64_t charged, executed, changes, waited;
} SimStint;

typedef struct SimWarp {
  int32_t number;                          // in its block, always
  uint32_t exist, live;
  int32_t group_count, picked, prefer;     // index of the group that runs or ran last; that should run next, or -1
  SimLanes groups[SIM_LANES];              // scheduler stack: only the last one runs
  SimConv convs[SIM_MAX_CONVS];
  int32_t conv_count;                      // convs beyond this are free
  int32_t exit_pc;                         // where lanes last ended
  bool has_parted;                         // since the block began
  uint32_t turns;                          // used up in full, one after another, while nothing happened in the warp
  uint32_t spinning;                       // lanes found to spin in this watch
  uint32_t strong_turns; bool impatient;   // of these turns in a row, those with strong accesses; lanes had to be let go before
  uint32_t passed;                         // lanes that went past others which wait, where they should have met them
  uint32_t apart;                          // lanes that came to a barrier, while others of the warp that it is for did not
  bool let_go;                             // lanes went on without others that took long or waited: that may have been too early
  uint32_t clock[SIM_MAX_WARPS];           // accesses of warp v up to this epoch are ordered before ours
  uint32_t fenced[SIM_MAX_WARPS];          // clock as of the last fence: what a strong write publishes
  uint32_t fenced_wide[SIM_MAX_WARPS];     // the same of fences that other blocks heed, too
  uint32_t seen[SIM_MAX_WARPS];            // what strong reads saw: ordered at the next fence
  uint32_t floor;                          // least of clock
  uint32_t lanes_met;                      // accesses of its lanes up to this epoch are ordered among them
  uint32_t lanes_read;                     // reads of its lanes up to this epoch are over: ordered before their writes
  uint32_t stored;                         // epoch of its last store to shared memory
  uint32_t closed[2][SIM_LANES];           // groups of asynchronous copies that each lane has committed; of bulk copies
  bool asleep;                             // its last turn ended because it waits for memory to change (block_wait.c)
  int32_t wait_pc, wait_count;             // jump back where its registers were looked at, -1; how often
  uint64_t wait_hash, wait_changes;        // registers there; changes of memory at its last jump back
  SimStint stint;
} SimWarp;

typedef struct SimBarrier {
  uint32_t lanes[SIM_MAX_WARPS];           // arrived lanes of each warp
  uint32_t there, whole;                   // warps of which lanes have come; all that live
  uint32_t waits;                          // warps of which lanes wait (the others only arrived)
  uint32_t threads;                        // expected, 0: all
  uint32_t popc; bool all, any, gives;     // bar.red; gives: somebody of whom it is one has come
  bool used;
} SimBarrier;

// Whether the warps of a block all wait for memory that only another block can change (block_wait.c).
enum { SIM_WAIT_WORDS = 8, SIM_WAIT_CHANGERS = 16 };
typedef struct SimWait {
  bool looked;                             // the warp has read a word that others may change, since it last jumped back
  bool yielded;                            // its turn ends because it waits
  bool turn_quiet, round_quiet, block_quiet;  // nothing but waiting happened: in a warp's turn, a round, the block's
                                              // turn
  bool round_waits;                        // somebody waited
  bool stuck;                              // another block has to run first
  bool sure;                               // and it is plain that this one cannot go on before memory changes
  bool hopeless;                           // nobody can change it
  uint32_t awaits;                         // 1 + the block that it cannot go on before, and that began later; 0: none
  bool released;                           // lanes go on alone because those that they would meet wait
  uint64_t turn_changes, turn_executed;    // at the start of the turn
  uint64_t looks;                          // reads of such words in this turn
  uint32_t word_count;                     // words that were read in this round; beyond SIM_WAIT_WORDS: too many to know
  uint64_t words[SIM_WAIT_WORDS], values[SIM_WAIT_WORDS];   // addresses; what was there when the block was left
  struct SimChanger { uint64_t addr; uint32_t thread; } changers[SIM_WAIT_CHANGERS];   // who in this block changed a
                                                                                       // word last
  uint64_t before[SIM_WAIT_CHANGERS];      // with a seed: what was there before
  int32_t reported_pc;                     // where it waits, -1
} SimWait;

typedef struct SimBlock {                  // all of a block's state except bytes of memory
  uint32_t number, index[3];
  uint64_t events, executed, charged;      // events made; warp instructions; what counts beside them against the budget
  uint64_t random;                         // state of the generator
  uint32_t epoch;                          // of race checking
  uint32_t async_copies;                   // entries in the lists of copies
  uint64_t acquired;                       // happens_before.c: what it could know when it last looked; 0: it never did
  bool shared_whole; uint32_t shared_stores;  // all of shared memory is written; accesses since that was looked at
  uint8_t whole_looks;                     // at barriers
  int32_t warp, left;                      // whose turn it is and how many instructions are left of it
  int32_t slice;                           // left for the group while others could run
  uint32_t order[SIM_MAX_WARPS]; int32_t turn;  // order of warps in this round; place in it
  uint32_t choices; bool granted;          // made on a path (path.h); the turn may do an access
  bool in_round, in_turn, round_progress, resume;  // resume: go on in the middle of a group's slice
  bool over;                               // the turn ends, however much is left of it
  int32_t ran, lone;                       // warps that ran since the first had its stint; how often in a row only one
                                           // did
  uint64_t stint_from;                     // executed, when the stint began
  uint64_t turn_charged;                   // charged, when the turn began
  uint64_t idle_turns, watch_at;           // livelock: turns since something happened; when to look closer
  bool watching, watching_warp;            // everybody for a round; one warp for its turn
  uint64_t watch_hash, watch_changes;      // of the running group, where it last jumped back
  int32_t watch_pc, watch_count;
  uint64_t round_changes, changes;         // memory or state that changed, counted while alert
  bool alert;                              // watching, or a warp that looked at memory as those do that wait for a change
  SimWait wait;
  bool recorded, deferred;                 // deferred: its events have to wait for those of an earlier block
  uint32_t turns;                          // how often it had its turn before
  uint64_t resumed_at;                     // events at the start of this turn
  uint32_t live_warps;                     // warps of which lanes live
  uint32_t used_barriers;                  // a bit each
  SimBarrier barriers[SIM_ALL_BARRIERS];   // last: those that nobody came to since they opened are zero
} SimBlock;

static inline void sim_end_turn(SimBlock *b) {
  b->left = 0;
  b->over = true;
}

#endif
