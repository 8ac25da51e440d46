// matrices_sparse.h: metadata of sparse matrices: which elements of A are stored, drawn and read back.
#ifndef LS_TESTS_GPU_MATRICES_SPARSE_H
#define LS_TESTS_GPU_MATRICES_SPARSE_H

#include "matrices.h"
#include "rng.h"

enum { SPARSITY_BYTES = 4 * MATRIX_LANES };   // a word of each lane

int sparsity_selectors(const Matrices *m);    // how many values the selector can have
// Any valid metadata: of .sp in any order, of .sp::ordered_metadata in rising order. Lanes that do not count get any bits.
void sparsity_fill(const Matrices *m, Rng *rng, uint32_t metadata[MATRIX_LANES]);
// The column of the whole A that stored element i of a row is of.
int sparsity_column(const Matrices *m, const uint32_t metadata[MATRIX_LANES], int row, int i);

#endif
