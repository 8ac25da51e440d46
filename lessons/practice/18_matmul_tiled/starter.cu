// C = A B, one thread for each element of C.
// TODO: right, with two loads for each multiplication. Bring
// A and B into the block tile by tile.
extern "C" __global__ void matmul(float *C, const float *A,
                                  const float *B, int m,
                                  int k, int n) {
  int row = blockIdx.y * 16 + threadIdx.y;
  int col = blockIdx.x * 16 + threadIdx.x;
  if (row >= m || col >= n) return;
  float sum = 0;
#pragma unroll 1
  for (int p = 0; p < k; ++p)
    sum += A[row * k + p] * B[p * n + col];
  C[row * n + col] = sum;
}
