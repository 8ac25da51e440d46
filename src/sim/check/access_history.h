// access_history.h: who accessed which word of global memory last.
#ifndef LS_SIM_ACCESS_HISTORY_H
#define LS_SIM_ACCESS_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/check/late_atomics.h"
#include "sim/check/strong.h"
#include "sim/core/exec.h"

// Who accessed a word of global memory, or 128 bytes of it. block: its number + 1, 0: nobody; writer: epoch << 6 |
// warp; info: pc << 10 | lane << 5 | warp. part, of a word: the bytes,
// and << 4 how many of them each lane has, if they are of lanes in a row. part, of a line: bytes of each lane. A word
// may be split: then info is the number of four entries, one for each byte.
typedef struct SimLastAccess { uint32_t block, writer, info, part; } SimLastAccess;
typedef struct SimSplit { SimLastAccess bytes[4]; } SimSplit;
enum { SIM_LINE = 128, SIM_PIECE_BYTES = SIM_LATE_BYTES };
#define SIM_ACCESS_SPLIT UINT32_MAX

typedef struct SimHistoryPiece {  // of SIM_PIECE_BYTES of a buffer; NULL: none such yet, or too many tables
  SimLastAccess *words, *readers;  // last weak write of each word; its last two weak readers
  SimLastAccess *lines, *line_readers;  // the same of lines that a whole warp accessed at once
  SimStrongWrites *strong_writes;       // of each word
  SimStrongReads *strong_reads;
  bool has_unmet;                  // strong writes that an atomic for all blocks may not meet: !sim_is_met
  SimLateAtomics *late;            // strong writes that are not noted yet, for all blocks
} SimHistoryPiece;

typedef struct SimHistory {      // who accessed global memory, as far as the blocks of one thread did
  SimHistoryPiece **pieces;      // of each allocation; NULL if nobody has written or read it, or nobody wants to know
  LsArena *tables;               // NULL: there are none
  size_t bytes;                  // of all tables
  SimSplit *splits; int split_count, split_capacity; uint32_t free_split;
} SimHistory;

void sim_history_new(SimExec *exec);
void sim_history_free(SimExec *exec);
void sim_history_forget(SimExec *exec);   // all of it
void sim_history_forget_range(SimExec *exec, const SimAlloc *a, uint64_t offset, uint64_t size);   // whole words

// The lanes of mask do `now` to a whole word of the piece each; first: its address. Noted late; the piece has its table
// for strong writes. False: some are not in the piece, and nothing is noted.
bool sim_history_late(SimExec *exec, SimHistoryPiece *w, const SimStrongAccess *now, uint64_t first, uint32_t mask);
void sim_history_note_late(SimHistoryPiece *w);   // all that wait
// NULL if nobody has accessed anything near.
static inline SimHistoryPiece *sim_history_at(const SimExec *exec, const SimAlloc *a, uint64_t offset) {
  SimHistoryPiece *pieces = exec->history->pieces[a->number];
  SimHistoryPiece *piece = pieces ? &pieces[offset / SIM_PIECE_BYTES] : NULL;
  if (piece && piece->late) sim_history_note_late(piece);
  return piece;
}
SimHistoryPiece *sim_history_piece(SimExec *exec, const SimAlloc *a, uint64_t offset);   // made if there is none
// The same for an atomic, which may find some that wait.
SimHistoryPiece *sim_history_piece_late(SimExec *exec, const SimAlloc *a, uint64_t offset);
uint32_t sim_access_lane(const SimLastAccess *o, uint32_t byte);   // of a word that is not split
void sim_history_write(SimExec *exec, SimHistoryPiece *w, uint64_t word, SimLastAccess now);
void sim_history_read(SimExec *exec, SimHistoryPiece *w, uint64_t word, SimLastAccess now);
// The table of a piece for strong writes; NULL: there is no room for it.
SimStrongWrites *sim_history_strong_writes(SimExec *exec, SimHistoryPiece *w);
void sim_history_strong(SimExec *exec, SimHistoryPiece *w, uint64_t word, const SimStrongAccess *now);
// Words in a row, of the same piece, by as many lanes; now: of the first.
void sim_history_row(SimExec *exec, SimHistoryPiece *w, uint64_t word, uint32_t count, SimLastAccess now, bool writes);
void sim_history_line(SimExec *exec, SimHistoryPiece *w, uint64_t line, SimLastAccess now, bool writes);

#endif
