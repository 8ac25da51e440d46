// shadow_words.h: what shadow.c remembers of each word of shared memory, for the files that share the work.
#ifndef LS_SIM_SHADOW_WORDS_H
#define LS_SIM_SHADOW_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/check/late_atomics.h"
#include "sim/check/strong.h"
#include "sim/core/exec.h"

typedef struct SimSlowCell {  // valid if SIM_CELL_MORE is set
  uint32_t strong;                     // index + 1 into `strong`; 0: none in this block
  uint8_t write_bytes, read_bytes;     // of the weak accesses
  bool on_top;                         // the cell's writer is a strong access; the weak one is in SimStrongCell
} SimSlowCell;

typedef struct SimFellows {            // who else stored what the last weak writer stored (shadow_fellows.c)
  uint32_t epoch;                      // of the first
  uint32_t warps;
  uint32_t info;                       // of the last
  uint32_t bytes;                      // that all of them wrote; 0: nobody
} SimFellows;

typedef struct SimStrongCell {         // of a word with strong accesses, or with several writers of one value
  uint64_t word;
  uint32_t weak_writer;                // what the cell had for a writer
  SimFellows fellows;
  SimStrongWrites writes;
  SimStrongReads reads;
} SimStrongCell;

typedef struct SimLateRound { SimLateRead first; uint32_t step; } SimLateRound;   // in many rounds: step words further
typedef struct SimLateTurn {           // some of them in a row, of one warp in one epoch
  uint32_t writer, ordered;            // of SimActor
  const SimLateRead *first;
} SimLateTurn;
enum { SIM_LATE_READS = 1024, SIM_LATE_TURNS = 256 };

struct SimShadow {
  uint64_t count;                      // words
  uint8_t *memory;                     // of the cells
  SimCells cells;
  SimSlowCell *slow;
  SimStrongCell *strong; int strong_count, strong_capacity;   // in the order of their first access
  uint32_t released[SIM_MAX_WARPS];    // clock that strong writes have published in this block
  uint32_t released_wide[SIM_MAX_WARPS];   // and for other blocks
  uint32_t last_write;                 // no cell has a writer above this
  uint32_t last_read;                  // nor a weak reader above this, but for reads that are late
  SimLateAtomics *atomics;             // of words near the first one, noted late; NULL: there was none
  bool has_parts;                      // reads of parts of words are noted: SIM_CELL_MORE in a read_epoch
  const SimWarp *safe_warp;            // whose reads nobody can meet: sim_shadow_is_safe
  SimLateRead *late_next;              // behind the last one
  int late_turns;
  SimActor actor;                      // the warp that was asked for last
  const SimWarp *actor_warp; uint32_t actor_epoch;   // and when
  SimLateTurn turns[SIM_LATE_TURNS];   // from here on: not cleared
  SimLateRead late[SIM_LATE_READS];
};

// An access of a lane to bytes of one word; how: bits of SimMem.how.
typedef struct SimWordAccess { uint32_t lane, bytes, how; bool writes, later; } SimWordAccess;   // later: SimMem.later

// ---- shadow_strong.c -----------------------------------------------------------------------------------------------
SimStrongCell *sim_shadow_strong_at(const struct SimShadow *shadow, uint64_t word);   // NULL: there is none
SimStrongCell *sim_shadow_strong_cell(struct SimShadow *shadow, uint64_t word);       // made if there is none
uint32_t sim_shadow_weak_writer(const struct SimShadow *shadow, uint64_t word);       // packed as SimCells.writer
bool sim_shadow_check_strong(SimExec *exec, const SimInst *inst, uint64_t word, const SimWordAccess *a);  // true: told
void sim_shadow_note_strong(SimExec *exec, uint64_t word, const SimWordAccess *a);
bool sim_shadow_late_atomic(SimExec *exec, const SimInst *inst, uint32_t mask);   // false: it is not to be noted late
void sim_shadow_note_atomics(struct SimShadow *shadow);                           // all that wait
void sim_shadow_forget_strong(struct SimShadow *shadow);   // a new block

// ---- shadow_fellows.c ----------------------------------------------------------------------------------------------
void sim_shadow_add_fellow(struct SimShadow *shadow, uint64_t word);   // who has been the weak writer so far
bool sim_shadow_has_fellows(const struct SimShadow *shadow, uint64_t word);
void sim_shadow_forget_fellows(struct SimShadow *shadow, uint64_t word, uint32_t bytes);   // if they wrote any of these

// ---- shadow_order.c ------------------------------------------------------------------------------------------------
void sim_shadow_set_actor(SimExec *exec);

// ---- shadow_late.c -------------------------------------------------------------------------------------------------
// The running warp, without the instruction. What is ordered before it changes with the epoch.
static inline SimActor *sim_shadow_actor(SimExec *exec) {
  struct SimShadow *shadow = exec->shadow;
  if (shadow->actor_warp != exec->warp || shadow->actor_epoch != exec->block.epoch) sim_shadow_set_actor(exec);
  return &shadow->actor;
}
// Is a read of whole words known to need no more than to be remembered, wherever they are? sim_shadow_trust makes it
// so for the running warp until its epoch is over, another one reads, somebody writes, or the list is full.
static inline bool sim_shadow_is_safe(const SimExec *exec) {
  const struct SimShadow *shadow = exec->shadow;
  return shadow->safe_warp == exec->warp && shadow->late_next < shadow->late + SIM_LATE_READS;
}
static inline uint32_t sim_late_high(const SimLateRead *read) {   // the word of the upper half's first lane
  return read->word + (uint32_t)((int32_t)read->how >> 1);
}
static inline void sim_shadow_push_late(SimExec *exec, uint32_t word, uint32_t how, int32_t pc) {
  *exec->shadow->late_next++ = (SimLateRead){.word = word, .how = how, .pc = pc};
}
// All that a sum of products reads, as long as its plan stays: the words of its first factors.
void sim_shadow_push_dot(SimExec *exec, int number, uint32_t one, uint32_t row);
// Reads, one after the other; the same in each round. False: there is no room.
bool sim_shadow_push_reads(SimExec *exec, const SimLateRead *reads, int count);
bool sim_shadow_push_rounds(SimExec *exec, const SimLateRound *reads, int count, int rounds);
static inline void sim_shadow_distrust(struct SimShadow *shadow) { shadow->safe_warp = NULL; }
void sim_shadow_trust(SimExec *exec);       // nobody can meet what the running warp reads
void sim_shadow_note_reads(SimExec *exec);  // all that wait
void sim_shadow_note_late(SimExec *exec);   // the same, and atomics
void sim_shadow_read_late(SimExec *exec, uint32_t word, uint32_t how);   // at exec->reported_pc
static inline void sim_shadow_drop_reads(struct SimShadow *shadow) {
  shadow->late_next = shadow->late;
  shadow->late_turns = 0;
  sim_shadow_distrust(shadow);
}
// All that is late is ordered before whatever comes.
static inline void sim_shadow_drop_late(struct SimShadow *shadow) {
  sim_shadow_drop_reads(shadow);
  if (shadow->atomics) sim_late_atomics_drop(shadow->atomics);
}
// The running warp changes writers in cells.
static inline void sim_shadow_writes(SimExec *exec) {
  uint32_t now = exec->block.epoch << SIM_CELL_SHIFT | ((1u << SIM_CELL_SHIFT) - 1);
  if (exec->shadow->last_write < now) exec->shadow->last_write = now;
  sim_shadow_distrust(exec->shadow);
}

#endif
