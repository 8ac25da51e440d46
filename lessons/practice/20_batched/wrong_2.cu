// Eight loads for each element: every float four times.
extern "C" __global__ void batched(float *C, const float *A,
                                   const float *B,
                                   int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 16 * count) return;
  int row = i & ~3, col = (i & ~15) + i % 4;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    sum += A[row + k] * B[col + 4 * k];
  C[i] = sum;
}
