// A run for each block, begun in the middle of a sector.
extern "C" __global__ void square(float *y, const float *x,
                                  int n) {
  int share = (n + gridDim.x - 1) / gridDim.x;
  int first = blockIdx.x * share;
  int end = first + share < n ? first + share : n;
  int i = first + threadIdx.x;
#pragma unroll 1
  for (; i < end; i += blockDim.x)
    y[i] = x[i] * x[i];
}
