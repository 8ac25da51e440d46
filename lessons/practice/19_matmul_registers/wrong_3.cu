// Sixteen tiles one after the other: each thread makes 16
// elements, and nothing is used twice.
extern "C" __global__ void matmul(float *C, const float *A,
                                  const float *B, int m,
                                  int k, int n) {
  __shared__ float a[16][16], b[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
#pragma unroll 1
  for (int e = 0; e < 16; ++e) {
    int row = 64 * blockIdx.y + e / 4 * 16 + ty;
    int col = 64 * blockIdx.x + e % 4 * 16 + tx;
    float sum = 0;
#pragma unroll 1
    for (int p = 0; p < k; p += 16) {
      bool in_a = row < m && p + tx < k;
      bool in_b = p + ty < k && col < n;
      a[ty][tx] = in_a ? A[row * k + p + tx] : 0;
      b[ty][tx] = in_b ? B[(p + ty) * n + col] : 0;
      __syncthreads();
#pragma unroll
      for (int q = 0; q < 16; ++q) sum += a[ty][q] * b[q][tx];
      __syncthreads();
    }
    if (row < m && col < n) C[row * n + col] = sum;
  }
}
