// Each thread adds up every stride-th element and leaves
// its partial sum in x.
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
