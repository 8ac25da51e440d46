// One fold: the upper half of x is added to the lower.
// The host launches it for m = N/2, N/4, ... 1.
extern "C" __global__
void reduce0(float *x, int m)
{
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  x[tid] += x[tid + m];
}
