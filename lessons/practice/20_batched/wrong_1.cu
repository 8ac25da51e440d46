// One thread for one product: lanes 64 bytes apart.
extern "C" __global__ void batched(float *C, const float *A,
                                   const float *B,
                                   int count) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= count) return;
  int at = 16 * p;
#pragma unroll 1
  for (int e = 0; e < 16; ++e) {
    int row = at + e / 4 * 4, col = at + e % 4;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < 4; ++k)
      sum += A[row + k] * B[col + 4 * k];
    C[at + e] = sum;
  }
}
