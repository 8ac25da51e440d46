// threadIdx.x counts rows: neighbors load down a column.
extern "C" __global__ void matmul(float *C, const float *A,
                                  const float *B, int m,
                                  int k, int n) {
  __shared__ float a[16][16], b[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + tx;
  int col = blockIdx.x * 16 + ty;
  float sum = 0;
#pragma unroll 1
  for (int p = 0; p < k; p += 16) {
    bool in_a = row < m && p + ty < k;
    bool in_b = p + tx < k && col < n;
    a[tx][ty] = in_a ? A[row * k + p + ty] : 0;
    b[tx][ty] = in_b ? B[(p + tx) * n + col] : 0;
    __syncthreads();
#pragma unroll
    for (int q = 0; q < 16; ++q) sum += a[tx][q] * b[q][ty];
    __syncthreads();
  }
  if (row < m && col < n) C[row * n + col] = sum;
}
