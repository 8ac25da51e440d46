// bench_count.h: what the host executes for a warp instruction, counted by callgrind: other work on the machine changes
// nothing of it. The program starts itself again under valgrind, which has no AVX-512: AVX2 is counted on x86-64.
#ifndef LS_TESTS_BENCH_COUNT_H
#define LS_TESTS_BENCH_COUNT_H

#include <stdbool.h>
#include "bench_run.h"

// Launches of blocks of 32 threads with one store each, and a scan of one warp: what a start costs.
typedef enum BenchStart { BENCH_ONE_BLOCK, BENCH_MANY_BLOCKS, BENCH_SCAN4, BENCH_STARTS } BenchStart;
enum { BENCH_BLOCKS = 10000 };         // of BENCH_MANY_BLOCKS

typedef struct BenchCounts {
  double kernel[16][BENCH_MODES];      // host instructions per warp instruction, by place in bench_kernels
  double two[16];                      // with counters, of two threads together
  double start[BENCH_STARTS][BENCH_MODES];     // host instructions of the run
  double whole[BENCH_STARTS];          // with counters; and all that is made before it and freed behind it
} BenchCounts;

// False: there is no valgrind here. `wanted`: one flag for each of bench_kernels.
bool bench_count(BenchCounts *counts, const bool *wanted);
// The other side, under valgrind: runs everything in order and prints for each run what its count is to be divided by.
void bench_count_here(const bool *wanted);

#endif
