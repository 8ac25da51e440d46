// The next tiles are on their way while these are used.
extern "C" __global__ void matmul(float *C, const float *A,
                                  const float *B, int m,
                                  int k, int n) {
  __shared__ float a[16][16], b[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty;
  int col = blockIdx.x * 16 + tx;
  bool in_a = row < m && tx < k, in_b = ty < k && col < n;
  float next_a = in_a ? A[row * k + tx] : 0;
  float next_b = in_b ? B[ty * n + col] : 0;
  float sum = 0;
#pragma unroll 1
  for (int p = 16; p < k + 16; p += 16) {
    a[ty][tx] = next_a;
    b[ty][tx] = next_b;
    __syncthreads();
    in_a = row < m && p + tx < k;
    in_b = p + ty < k && col < n;
    next_a = in_a ? A[row * k + p + tx] : 0;
    next_b = in_b ? B[(p + ty) * n + col] : 0;
#pragma unroll
    for (int q = 0; q < 16; ++q) sum += a[ty][q] * b[q][tx];
    __syncthreads();
  }
  if (row < m && col < n) C[row * n + col] = sum;
}
