// shadow_words.h: what shadow.c remembers of each word of shared memory, for the files that share the work.
#ifndef LS_SIM_SHADOW_WORDS_H
#define LS_SIM_SHADOW_WORDS_H

#include <stdbool.h>
#include <stdint.h>
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

typedef struct SimLateRead {           // of all lanes (shadow_late.c)
  uint32_t epoch, ordered, info;       // of SimActor: packed without warp
  uint32_t word, high;                 // of the first lane, and of the first of the upper half
  bool in_rows;                        // 16 words each; false: one each
} SimLateRead;
enum { SIM_LATE_READS = 512 };

struct SimShadow {
  uint64_t count;                      // words
  uint8_t *memory;                     // of the cells
  SimCells cells;
  SimSlowCell *slow;
  SimStrongCell *strong; int strong_count, strong_capacity;   // in the order of their first access
  uint32_t released[SIM_MAX_WARPS];    // clock that strong writes have published in this block
  uint32_t released_wide[SIM_MAX_WARPS];   // and for other blocks
  uint32_t last_write;                 // no cell has a writer above this
  bool has_parts;                      // reads of parts of words are noted: SIM_CELL_MORE in a read_epoch
  int late_count;
  SimActor actor;                      // the warp that was asked for last
  const SimWarp *actor_warp; uint32_t actor_epoch;   // and when
  SimLateRead late[SIM_LATE_READS];    // last: not cleared
};

// An access of a lane to bytes of one word; how: bits of SimMem.how.
typedef struct SimWordAccess { uint32_t lane, bytes, how; bool writes, later; } SimWordAccess;   // later: SimMem.later

// ---- shadow_strong.c -----------------------------------------------------------------------------------------------
SimStrongCell *sim_shadow_strong_at(const struct SimShadow *shadow, uint64_t word);   // NULL: there is none
SimStrongCell *sim_shadow_strong_cell(struct SimShadow *shadow, uint64_t word);       // made if there is none
uint32_t sim_shadow_weak_writer(const struct SimShadow *shadow, uint64_t word);       // packed as SimCells.writer
bool sim_shadow_check_strong(SimExec *exec, const SimInst *inst, uint64_t word, const SimWordAccess *a);  // true: told
void sim_shadow_note_strong(SimExec *exec, uint64_t word, const SimWordAccess *a);
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
// Nobody can meet a read of whole words, wherever they are.
static inline bool sim_shadow_reads_are_safe(const struct SimShadow *shadow, const SimActor *actor) {
  return shadow->last_write < actor->ordered && !shadow->has_parts;
}
void sim_shadow_note_late(SimExec *exec);   // all that wait
static inline void sim_shadow_read_late(SimExec *exec, const SimLateRead *read) {
  struct SimShadow *shadow = exec->shadow;
  if (shadow->late_count == SIM_LATE_READS) sim_shadow_note_late(exec);
  shadow->late[shadow->late_count++] = *read;
}
// All of them are ordered before whatever comes.
static inline void sim_shadow_drop_late(struct SimShadow *shadow) { shadow->late_count = 0; }
// The running warp changes writers in cells.
static inline void sim_shadow_writes(SimExec *exec) {
  uint32_t now = exec->block.epoch << SIM_CELL_SHIFT | ((1u << SIM_CELL_SHIFT) - 1);
  if (exec->shadow->last_write < now) exec->shadow->last_write = now;
}

#endif
