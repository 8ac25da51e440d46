// matrices_values.h: what stands in the matrices that are multiplied.
#ifndef LS_TESTS_GPU_MATRICES_VALUES_H
#define LS_TESTS_GPU_MATRICES_VALUES_H

#include "matrices.h"
#include "rng.h"

// near: sizes about 1. wide: any finite bits. cancel: products that come in pairs with unlike signs. sparse: few powers
// of two, apart from each other. low, high: at the ends of the range. special: zeros, infinities and NaNs among any
// bits.
enum {
  MATRICES_NEAR, MATRICES_WIDE, MATRICES_CANCEL, MATRICES_SPARSE, MATRICES_LOW, MATRICES_HIGH, MATRICES_SPECIAL,
  MATRICES_MODES
};
const char *matrices_mode_name(int mode);

// Matrices by rows.
void matrices_fill(const Matrices *m, int mode, Rng *rng, uint64_t *a, uint64_t *b, uint64_t *c);

#endif
