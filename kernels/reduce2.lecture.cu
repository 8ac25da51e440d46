// As reduce2, but a thread goes on by blockDim.x squared:
// the size of the grid only if it has as many blocks as a
// block has threads.
extern "C" __global__
void reduce2(float *y, float *x, int N)
{
  extern __shared__ float tsum[];
  int id = threadIdx.x;
  int tid = blockIdx.x * blockDim.x + id;
  int stride = blockDim.x * blockDim.x;
  tsum[id] = 0.0f;
  #pragma unroll 1
  for (int k = tid; k < N; k += stride)
    tsum[id] += x[k];
  __syncthreads();
  #pragma unroll 1
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (id < k)
      tsum[id] += tsum[id + k];
    __syncthreads();
  }
  if (id == 0)
    y[blockIdx.x] = tsum[0];
}
