// fragment.h: what the picture of matrix fragments shows: which lane holds which elements of A, B and C.
#ifndef LS_APP_MODELS_FRAGMENT_H
#define LS_APP_MODELS_FRAGMENT_H

#include "app/models/model.h"
#include "sim/ops/fragment.h"

enum { FRAGMENT_MATRICES = 3 };

typedef struct FragmentModel {
  const char *instruction;       // "mma m16n8k16 f16"
  bool is_wmma;                  // its layout is told by nobody
  bool in_quads, is_sparse;      // four products side by side; half of A is stored
  int products;                  // multiplications
  int lane, only;                // only: the MatrixRole that is shown; -1: all
  MatrixFragment of[FRAGMENT_MATRICES];      // A, B, C, by MatrixRole
  uint8_t owner[FRAGMENT_MATRICES][MATRIX_MOST];     // lane of each element, by rows
  uint8_t element[FRAGMENT_MATRICES][MATRIX_MOST];   // its number among those of the lane
} FragmentModel;
void fragment_model(const ModelValues *values, FragmentModel *out);

#endif
