// As reduce2, but only those who add come to the barrier
// of a level.
extern "C" __global__
void reduce2(float *y, float *x, int N)
{
  extern __shared__ float tsum[];
  int id = threadIdx.x;
  int tid = blockIdx.x * blockDim.x + id;
  int stride = gridDim.x * blockDim.x;
  tsum[id] = 0.0f;
  #pragma unroll 1
  for (int k = tid; k < N; k += stride)
    tsum[id] += x[k];
  __syncthreads();
  #pragma unroll 1
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (id < k) {
      tsum[id] += tsum[id + k];
      __syncthreads();
    }
  }
  if (id == 0)
    y[blockIdx.x] = tsum[0];
}
