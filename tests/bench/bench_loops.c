// bench_loops.c: what a C programmer would write for the bench kernels. Makefile.am compiles it with -O3, whatever CFLAGS say.
#include "bench_loops.h"

enum { PARTS = 256 };

void loop_vecadd(float *c, const float *a, const float *b, int n) {
  for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
}

void loop_reduce(float *sums, const float *a, int n, int blocks) {
  for (int k = 0; k < blocks; k++) {
    float part[PARTS] = {0};
    for (int i = k * PARTS; i < n; i += blocks * PARTS)
      for (int t = 0; t < PARTS; t++) part[t] += a[i + t];
    for (int d = PARTS / 2; d > 0; d >>= 1)
      for (int t = 0; t < d; t++) part[t] += part[t + d];
    sums[k] = part[0];
  }
}

void loop_matmul(float *c, const float *a, const float *b, int n) {
  for (int i = 0; i < n * n; i++) c[i] = 0;
  for (int r = 0; r < n; r++)
    for (int k = 0; k < n; k++)
      for (int col = 0; col < n; col++) c[r * n + col] += a[r * n + k] * b[k * n + col];
}
