// bench_loops.c: what a C programmer would write for the bench kernels. local.mk compiles it with -O3; a level in the
// user's CFLAGS comes behind that, and an -O2 there is slower by the vector code of the loops.
#include "bench_loops.h"
#include <string.h>

enum { LANES = 32, PARTS = 256 };

static void vecadd(float *restrict c, const float *restrict a, const float *restrict b, int n) {
  for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
}

static void reduce(float *restrict sums, const float *restrict a, int n, int blocks) {
  for (int k = 0; k < blocks; k++) {
    float part[PARTS] = {0};
    for (int i = k * PARTS; i < n; i += blocks * PARTS)
      for (int t = 0; t < PARTS; t++) part[t] += a[i + t];
    for (int d = PARTS / 2; d > 0; d >>= 1)
      for (int t = 0; t < d; t++) part[t] += part[t + d];
    sums[k] = part[0];
  }
}

static void matmul(float *restrict c, const float *restrict a, const float *restrict b, int n) {
  memset(c, 0, sizeof *c * (size_t)n * (size_t)n);
  for (int r = 0; r < n; r++)
    for (int k = 0; k < n; k++)
      for (int col = 0; col < n; col++) c[r * n + col] += a[r * n + k] * b[k * n + col];
}

static void histogram(int *restrict buckets, const int *restrict color, int n, int count) {
  memset(buckets, 0, sizeof *buckets * (size_t)count);
  for (int i = 0; i < n; i++) buckets[color[i]]++;
}

static void scan_warp(int *restrict y, const int *restrict x, int n) {
  for (int k = 0; k < n; k += LANES) {
    int sum = 0;
    for (int i = k; i < k + LANES; i++) y[i] = sum += x[i];
  }
}

static void scan_block(int *restrict y, int *restrict sums, const int *restrict x, int n) {
  for (int k = 0; k < n; k += PARTS) {
    int sum = 0;
    for (int i = k; i < k + PARTS; i++) y[i] = sum += x[i];
    sums[k / PARTS] = sum;
  }
}

static float sine_at(float x, int terms) {
  float square = x * x, term = x, sum = x;
  for (int n = 1; n < terms; n++) {
    term *= -square / (float)(2 * n * (2 * n + 1));
    sum += term;
  }
  return sum;
}

static void sine(float *restrict sums, int steps, int terms, float step_size) {
  for (int step = 0; step < steps; step++) sums[step] = sine_at(step_size * (float)step, terms);
}

const Loops LOOPS = {vecadd, reduce, matmul, histogram, scan_warp, scan_block, sine};
