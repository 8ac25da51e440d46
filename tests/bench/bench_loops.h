// bench_loops.h: the work of the bench kernels as plain C loops on one core, as a C programmer would write them: the
// same results, in the order that a compiler makes most of. Compiled three times (local.mk): with -O3 alone, which the
// bars of bench_bars are multiples of; one element at a time, without the compiler's vector code, as -O2 of older
// compilers does; and with -O3 -march=native, to see what this machine's instruction set would add.
#ifndef LS_TESTS_BENCH_LOOPS_H
#define LS_TESTS_BENCH_LOOPS_H

typedef struct Loops {
  void (*vecadd)(float *c, const float *a, const float *b, int n);
  // 256 partial sums for each of `blocks` blocks, which stride through a, then a tree: sums of `blocks` elements
  void (*reduce)(float *sums, const float *a, int n, int blocks);
  void (*matmul)(float *c, const float *a, const float *b, int n);             // n x n
  void (*histogram)(int *buckets, const int *color, int n, int count);         // `count` buckets
  void (*scan_warp)(int *y, const int *x, int n);                              // from the left in every 32 elements
  void (*scan_block)(int *y, int *sums, const int *x, int n);                  // in every 256; n is a multiple of them
  void (*sine)(float *sums, int steps, int terms, float step_size);            // Taylor's series at each step
} Loops;

extern const Loops loops_plain, loops_scalar, loops_native;

#endif
