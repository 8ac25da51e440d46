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

struct SimShadow {
  uint64_t count;                      // words
  uint8_t *memory;                     // of the cells
  SimCells cells;
  SimSlowCell *slow;
  SimStrongCell *strong; int strong_count, strong_capacity;   // in the order of their first access
  uint32_t released[SIM_MAX_WARPS];    // clock that strong writes have published in this block
  uint32_t released_wide[SIM_MAX_WARPS];   // and for other blocks
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

#endif
