// The same memory under other names: columns for rows, and the
// factors change sides.
#include <mma.h>

using namespace nvcuda::wmma;

extern "C" __global__ void product(float *C, const half *A,
                                   const half *B, int n,
                                   int k) {
  fragment<matrix_a, 16, 16, 16, half, col_major> bt;
  fragment<matrix_b, 16, 16, 16, half, col_major> at;
  fragment<accumulator, 16, 16, 16, float> ct;
  fill_fragment(ct, 0.0f);
  A += 16 * blockIdx.y * k;
  B += 16 * blockIdx.x;
#pragma unroll 1
  for (int q = 0; q < k; q += 16) {
    load_matrix_sync(at, A + q, k);
    load_matrix_sync(bt, B + q * n, n);
    mma_sync(ct, bt, at, ct);
  }
  C += 16 * blockIdx.y * n + 16 * blockIdx.x;
  store_matrix_sync(C, ct, n, mem_col_major);
}
