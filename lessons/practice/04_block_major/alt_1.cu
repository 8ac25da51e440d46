// A run for each block, of whole sectors; its threads go
// through it side by side.
extern "C" __global__ void square(float *y, const float *x,
                                  int n) {
  int sectors = (n + 7) / 8;
  int share = (sectors + gridDim.x - 1) / gridDim.x * 8;
  int first = blockIdx.x * share;
  int end = first + share < n ? first + share : n;
  int i = first + threadIdx.x;
#pragma unroll 1
  for (; i < end; i += blockDim.x)
    y[i] = x[i] * x[i];
}
