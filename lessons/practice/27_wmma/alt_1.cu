// Two accumulators by turns, added at the end: two chains of
// products that do not wait for each other.
#include <mma.h>

using namespace nvcuda::wmma;

extern "C" __global__ void product(float *C, const half *A,
                                   const half *B, int n,
                                   int k) {
  fragment<matrix_a, 16, 16, 16, half, row_major> a;
  fragment<matrix_b, 16, 16, 16, half, row_major> b;
  fragment<accumulator, 16, 16, 16, float> c;
  fragment<accumulator, 16, 16, 16, float> odd;
  fill_fragment(c, 0.0f);
  fill_fragment(odd, 0.0f);
  A += 16 * blockIdx.y * k;
  B += 16 * blockIdx.x;
#pragma unroll 1
  for (int q = 0; q < k; q += 32) {
    load_matrix_sync(a, A + q, k);
    load_matrix_sync(b, B + q * n, n);
    mma_sync(c, a, b, c);
    if (q + 16 < k) {
      load_matrix_sync(a, A + q + 16, k);
      load_matrix_sync(b, B + (q + 16) * n, n);
      mma_sync(odd, a, b, odd);
    }
  }
  for (int e = 0; e < c.num_elements; ++e) c.x[e] += odd.x[e];
  C += 16 * blockIdx.y * n + 16 * blockIdx.x;
  store_matrix_sync(C, c, n, mem_row_major);
}
