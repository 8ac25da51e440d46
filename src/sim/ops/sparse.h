// sparse.h: A of mma.sp, of which half the elements are stored: who tells which they are, and where they stand.
//
// A row of A is cut into chunks (PTX ISA 9.7.14.6). Of each a row stores half the elements, and four bits of metadata say
// which: two indices of two bits, the first in the low ones.
//
//   f16, bf16, 8 bits   two of four elements
//   tf32                one of two: 0b0100 the first, 0b1110 the second
//   4 bits              two pairs of four pairs
//
// The rows g and g + 8 are told by the four lanes of group g (lane / 4): by one of them (16 bits a row), by two (32 bits)
// or by all (64 bits). The selector, the last operand, says by which one, or by which pair. Of f16, bf16 and tf32 a lane
// tells 16 bits of row g and above them 16 of row g + 8; of 8 and 4 bits it tells 32 of one row: the first and third lane
// of row g, the others of row g + 8.
#ifndef LS_SIM_SPARSE_H
#define LS_SIM_SPARSE_H

#include <stdbool.h>
#include <stdint.h>
#include "ptx/ptx.h"

typedef struct SparseForm {
  uint8_t chunk, stored;   // elements of a chunk, and how many of them are stored
  uint8_t together;        // elements that have one index: 2 of 4 bits
  uint8_t lanes;           // of a group that tell: 1, 2 or 4
  uint8_t selector;        // which: the first is selector * lanes
  bool whole_rows;         // a lane tells of one row
} SparseForm;

enum { SPARSE_LANES = 32 };

// How matrices of a type with k columns are stored; false if the selector is none of theirs.
bool sparse_form(PtxType type, int k, uint64_t selector, SparseForm *out);
// The column that stored element i of a row stands in. metadata: what each lane of the warp has.
int sparse_column(const SparseForm *form, const uint32_t metadata[SPARSE_LANES], int row, int i);

#endif
