// As reduce1, but every thread stores its sum: also those
// behind the end of x, if the grid is larger than N.
extern "C" __global__
void reduce1(float *x, int N)
{
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = gridDim.x * blockDim.x;
  float tsum = 0.0f;
  #pragma unroll 1
  for (int k = tid; k < N; k += stride)
    tsum += x[k];
  x[tid] = tsum;
}
