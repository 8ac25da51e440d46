// Guards the store of C only.
extern "C" __global__ void matmul(float *C, const float *A,
                                  const float *B, int m,
                                  int k, int n) {
  __shared__ float a[16][16], b[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty;
  int col = blockIdx.x * 16 + tx;
  float sum = 0;
#pragma unroll 1
  for (int p = 0; p < k; p += 16) {
    a[ty][tx] = A[row * k + p + tx];
    b[ty][tx] = B[(p + ty) * n + col];
    __syncthreads();
#pragma unroll
    for (int q = 0; q < 16; ++q) sum += a[ty][q] * b[q][tx];
    __syncthreads();
  }
  if (row < m && col < n) C[row * n + col] = sum;
}
