// Nobody sets the accumulator before it is added to.
#include <mma.h>

using namespace nvcuda::wmma;

extern "C" __global__ void product(float *C, const half *A,
                                   const half *B, int n,
                                   int k) {
  fragment<matrix_a, 16, 16, 16, half, row_major> a;
  fragment<matrix_b, 16, 16, 16, half, row_major> b;
  fragment<accumulator, 16, 16, 16, float> c;
  A += 16 * blockIdx.y * k;
  B += 16 * blockIdx.x;
#pragma unroll 1
  for (int q = 0; q < k; q += 16) {
    load_matrix_sync(a, A + q, k);
    load_matrix_sync(b, B + q * n, n);
    mma_sync(c, a, b, c);
  }
  C += 16 * blockIdx.y * n + 16 * blockIdx.x;
  store_matrix_sync(C, c, n, mem_row_major);
}
