// vectors.h: every measured form of tests/unit/sim/vectors/*.vec again, over fresh operands.
#ifndef LS_TESTS_GPU_VECTORS_H
#define LS_TESTS_GPU_VECTORS_H

#include "batch.h"
#include "forms.h"

// Appends a form with `blocks` times VEC_ROWS random rows of operands.
void vectors_add(Batch *batch, const VecForm *form, int number, uint64_t seed, uint32_t blocks);

#endif
