// Five ways to add up an array, each by several launches.
// The host names the kernel: see the steps of the program.
extern "C" __global__
void reduce0(float *x, int m)
{
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  x[tid] += x[tid + m];
}

extern "C" __global__
void reduce1(float *x, int N)
{
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = gridDim.x * blockDim.x;
  float tsum = 0.0f;
  #pragma unroll 1
  for (int k = tid; k < N; k += stride)
    tsum += x[k];
  if (tid < N)
    x[tid] = tsum;
}

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
    if (id < k)
      tsum[id] += tsum[id + k];
    __syncthreads();
  }
  if (id == 0)
    y[blockIdx.x] = tsum[0];
}

extern "C" __global__
void reduce3(float *y, float *x, int N)
{
  extern __shared__ float tsum[];
  int id = threadIdx.x;
  int threads = blockDim.x;
  int tid = blockIdx.x * threads + id;
  int stride = gridDim.x * threads;
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
    __syncwarp();
    if (id < 8)
      tsum[id] += tsum[id + 8];
    __syncwarp();
    if (id < 4)
      tsum[id] += tsum[id + 4];
    __syncwarp();
    if (id < 2)
      tsum[id] += tsum[id + 2];
    __syncwarp();
    if (id == 0)
      y[blockIdx.x] = tsum[0] + tsum[1];
  }
}
