// Threads outside of C leave, and bring nothing to the tiles.
extern "C" __global__ void matmul(float *C, const float *A,
                                  const float *B, int m,
                                  int k, int n) {
  __shared__ float a[16][16], b[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty;
  int col = blockIdx.x * 16 + tx;
  if (row >= m || col >= n) return;
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
  C[row * n + col] = sum;
}
