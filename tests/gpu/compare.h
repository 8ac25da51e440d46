// compare.h: programs of a batch on the emulator and on the GPU, byte for byte.
#ifndef LS_TESTS_GPU_COMPARE_H
#define LS_TESTS_GPU_COMPARE_H

#include "batch.h"
#include "gpu_driver.h"

typedef struct Tally {
  uint64_t agreed, differed;      // programs
  uint64_t values;                // bytes compared
  uint64_t near;                  // values of linear filters that are not the same bits, within their spread
} Tally;

typedef struct Comparison {
  Gpu *gpu;
  int level;                      // of the driver's compiler, 0 to 4; it takes the as-written cut at level 0 only
  int most_told;                  // differences that are printed
  int told;                       // differences printed so far; after a number of them only counts go on
  const char *folder;             // where the PTX of programs that differ goes
} Comparison;

void compare_batch(Comparison *comparison, const Batch *batch, Tally *tally);

#endif
