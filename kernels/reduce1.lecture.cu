// As reduce1, but a thread goes on by blockDim.x squared:
// the size of the grid only if it has as many blocks as a
// block has threads.
extern "C" __global__
void reduce1(float *x, int N)
{
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = blockDim.x * blockDim.x;
  float tsum = 0.0f;
  #pragma unroll 1
  for (int k = tid; k < N; k += stride)
    tsum += x[k];
  if (tid < N)
    x[tid] = tsum;
}
