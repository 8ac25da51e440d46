// Sum by block, the tree unrolled for 256 to 512 threads.
extern "C" __global__
void reduce4(float *y, float *x, int N)
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
  if (id < 256 && id + 256 < blockDim.x)
    tsum[id] += tsum[id + 256];
  __syncthreads();
  if (id < 128)
    tsum[id] += tsum[id + 128];
  __syncthreads();
  if (id < 64)
    tsum[id] += tsum[id + 64];
  __syncthreads();
  if (id < 32)
    tsum[id] += tsum[id + 32];
  __syncthreads();
  if (id < 32) {
    if (id < 16)
      tsum[id] += tsum[id + 16];
    if (id < 8)
      tsum[id] += tsum[id + 8];
    if (id < 4)
      tsum[id] += tsum[id + 4];
    if (id < 2)
      tsum[id] += tsum[id + 2];
    if (id == 0)
      y[blockIdx.x] = tsum[0] + tsum[1];
  }
}
