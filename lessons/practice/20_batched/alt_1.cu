// The width of a shuffle: rows are 4 lanes, products 16.
extern "C" __global__ void batched(float *C, const float *A,
                                   const float *B,
                                   int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int col = threadIdx.x % 4;
  bool mine = i < 16 * count;
  float a = mine ? A[i] : 0, b = mine ? B[i] : 0, sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    float f = __shfl_sync(~0u, a, k, 4);
    float g = __shfl_sync(~0u, b, 4 * k + col, 16);
    sum += f * g;
  }
  if (mine) C[i] = sum;
}
