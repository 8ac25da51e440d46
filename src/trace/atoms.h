// atoms.h: old values of atomics on 32 bits, as they follow from what atomics did to the same words before.
//
// Writer and reader of a chunk keep the same table of words. What a lane finds is what the lane before it left there,
// so a row of atomics whose operation is known says all old values, but of words that the table does not know, or that
// others changed. The table is small and direct-mapped: a word that takes another's place costs bytes, never
// correctness. It is empty when a chunk begins; a word that it does not know is expected to be 0. Words of shared
// memory are known for one block.
#ifndef LS_TRACE_ATOMS_H
#define LS_TRACE_ATOMS_H

#include <stdbool.h>
#include <stdint.h>

// What a lane leaves of the old value and its operand b. Floats are added as IEEE 754 says; a sum that is no number is
// 0x7fffffff. These are numbers of the format.
typedef enum AtomsWay {
  ATOMS_ADD,           // old + b
  ATOMS_ADD_F32,
  ATOMS_MIN_U32,
  ATOMS_MIN_S32,
  ATOMS_MAX_U32,
  ATOMS_MAX_S32,
  ATOMS_AND,
  ATOMS_OR,
  ATOMS_XOR,
  ATOMS_TAKE,          // b
  ATOMS_KEEP,          // old
  ATOMS_INC,           // old >= b ? 0 : old + 1
  ATOMS_DEC,           // old == 0 || old > b ? b : old - 1
  ATOMS_WAYS
} AtomsWay;

enum { ATOMS_WORDS = 4096 };
typedef struct AtomsTable {
  uint64_t used;                    // of 64 pieces, those with words, a bit each
  uint32_t blocks;                  // that began in the chunk
  uint64_t words[ATOMS_WORDS];      // by address / 4: its other bits << 32 | what is there
} AtomsTable;

// One atomic of the lanes in mask, in their order.
typedef struct AtomsRow {
  uint32_t mask;
  bool is_shared;                   // addresses are offsets in the block's shared memory
  const uint64_t *addr;             // [32]
  const uint32_t *operand;          // [32]
  uint32_t *old;                    // [32]; written by atoms_make alone
} AtomsRow;

void atoms_begin(AtomsTable *table);                                // a chunk begins
static inline void atoms_begin_block(AtomsTable *table) { table->blocks++; }

// For the writer. Returns lanes that find something else than the table says, and notes what all of them leave.
// *known: those of them whose words it knew.
uint32_t atoms_tell(AtomsTable *table, unsigned way, const AtomsRow *row, uint32_t *known);
// The way in which fewest lanes find something else; among equals `first`, or the next. The table is left as it is.
unsigned atoms_find(AtomsTable *table, unsigned first, const AtomsRow *row);
// For the reader: makes the old values of all lanes but those in `told`, and notes the same as atoms_tell.
void atoms_make(AtomsTable *table, unsigned way, const AtomsRow *row, uint32_t told);

#endif
