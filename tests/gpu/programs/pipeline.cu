// What pipeline.lua launches: work that takes as long as it is told to.
extern "C" __global__
void turn(float *y, const float *x, int n, int rounds)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = x[i];
  #pragma unroll 1
  for (int r = 0; r < rounds; r++)
    v = v * 0.5f + 1.0f;
  y[i] = v;
}

__device__ float offset = 1.0f;

extern "C" __global__
void shift(float *y, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = y[i] + offset;
}
