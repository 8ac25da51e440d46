// Kernels that write all of their result, a part of it, or parts of it several times. The numbers beside them are for the
// launch in test_coverage.c.

extern "C" __global__ void map(float *y, int n)              // one element each, guarded
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = (float)i;
}

extern "C" __global__ void no_guard(float *y)                // one element each
{
  y[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
}

extern "C" __global__ void no_block(float *y)                // blockIdx is missing
{
  y[threadIdx.x] = (float)threadIdx.x;
}

extern "C" __global__ void inner(float *y)                   // the first and last thread of a block write nothing
{
  if (threadIdx.x > 0 && threadIdx.x < blockDim.x - 1) y[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
}

extern "C" __global__ void scatter(float *y)                 // every third element
{
  y[3 * (blockIdx.x * blockDim.x + threadIdx.x)] = 1.0f;
}

extern "C" __global__ void halo(float *y)                    // blocks share their first and last element
{
  y[blockIdx.x * (blockDim.x - 1) + threadIdx.x] = 1.0f;
}

extern "C" __global__ void nothing(float *y, int n)          // n is 0
{
  if ((int)threadIdx.x < n) y[threadIdx.x] = 1.0f;
}

extern "C" __global__ void count(unsigned *bins)             // every block adds to the same elements
{
  atomicAdd(&bins[threadIdx.x % 8], 1u);
}

extern "C" __global__ void found(int *flag)                  // all blocks store the same to one element
{
  *flag = 1;
}

extern "C" __global__ void four(float4 *y)                   // four elements each
{
  y[blockIdx.x * blockDim.x + threadIdx.x] = make_float4(1, 2, 3, 4);
}

extern "C" __global__ void bytes(unsigned char *y)           // a byte each of elements of four
{
  y[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

extern "C" __global__ void total(volatile float *parts, float *sum, unsigned *ticket)   // the last block adds up
{
  __shared__ bool last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = 1.0f;
    __threadfence();
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x) return;
  __threadfence();
  float s = 0;
  for (unsigned i = 0; i < gridDim.x; i++) s += parts[i];
  *sum = s;
}
