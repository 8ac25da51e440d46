// Right, without tensor cores: 8 elements for each lane.
#include <mma.h>

using namespace nvcuda::wmma;

extern "C" __global__ void product(float *C, const half *A,
                                   const half *B, int n,
                                   int k) {
#pragma unroll 1
  for (int e = threadIdx.x; e < 256; e += 32) {
    int row = 16 * blockIdx.y + e / 16;
    int col = 16 * blockIdx.x + e % 16;
    float sum = 0;
#pragma unroll 1
    for (int q = 0; q < k; ++q) {
      float a = __half2float(A[row * k + q]);
      sum += a * __half2float(B[q * n + col]);
    }
    C[row * n + col] = sum;
  }
}
