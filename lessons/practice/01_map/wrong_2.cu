// One thread makes them all: right, and 31 lanes are dark.
extern "C" __global__ void scale(float *y,
                                 const float *x, float a) {
  int me = blockIdx.x * blockDim.x + threadIdx.x;
  if (me > 0) return;
#pragma unroll 1
  for (int i = 0; i < gridDim.x * blockDim.x; ++i)
    y[i] = a * x[i];
}
