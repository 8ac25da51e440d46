// The share of a block is rounded down: the rest is lost.
extern "C" __global__ void square(float *y, const float *x,
                                  int n) {
  int share = n / gridDim.x;
  int first = blockIdx.x * share;
#pragma unroll 1
  for (int k = threadIdx.x; k < share; k += blockDim.x)
    y[first + k] = x[first + k] * x[first + k];
}
