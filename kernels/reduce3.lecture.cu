// As reduce3, but a thread goes on by blockDim.x squared.
extern "C" __global__
void reduce3(float *y, float *x, int N)
{
  extern __shared__ float tsum[];
  int id = threadIdx.x;
  int threads = blockDim.x;
  int tid = blockIdx.x * threads + id;
  int stride = threads * threads;
  tsum[id] = 0.0f;
  #pragma unroll 1
  for (int k = tid; k < N; k += stride)
    tsum[id] += x[k];
  __syncthreads();
  int power = 1;
  #pragma unroll 1
  while (power < threads)
    power *= 2;
  #pragma unroll 1
  for (int k = power / 2; k > 0; k >>= 1) {
    if (id < k && id + k < threads)
      tsum[id] += tsum[id + k];
    __syncthreads();
  }
  if (id == 0)
    y[blockIdx.x] = tsum[0];
}
