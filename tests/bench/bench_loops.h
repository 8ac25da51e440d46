// bench_loops.h: the work of the bench kernels as plain C loops on one core, compiled with -O3.
#ifndef LS_TESTS_BENCH_LOOPS_H
#define LS_TESTS_BENCH_LOOPS_H

void loop_vecadd(float *c, const float *a, const float *b, int n);
void loop_reduce(float *sums, const float *a, int n, int blocks);            // 256 partial sums per block, then a tree
void loop_matmul(float *c, const float *a, const float *b, int n);   // n x n

#endif
