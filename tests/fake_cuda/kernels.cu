// kernels.cu: small kernels for tests/unit/device/test_cuda_here.c. After a change: nvcc -ptx -arch=compute_75 -lineinfo kernels.cu
#include <assert.h>
#include <stdio.h>

__device__ unsigned int total;
__device__ float factor = 2.5f;

extern "C" __global__ void add(const float *x, const float *y, float *z, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] + y[i];
}

// Changes its input and two variables: a second run on what the first one left gives something else.
extern "C" __global__ void again(float *x, unsigned int *totals)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = x[i] * factor + 1;
  atomicAdd(&total, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    factor = 3.0f;
    totals[0] = total;
  }
}

extern "C" __global__ void copy(const unsigned char *from, unsigned char *to) { to[threadIdx.x] = from[threadIdx.x]; }

extern "C" __global__ void print(int n)
{
  if (threadIdx.x < n) printf("thread %d of block %d\n", threadIdx.x, blockIdx.x);
}

extern "C" __global__ void shared(unsigned int *out, int words)
{
  extern __shared__ unsigned int s[];
  for (int i = threadIdx.x; i < words; i += blockDim.x) s[i] = i;
  __syncthreads();
  out[threadIdx.x] = s[words - 1 - threadIdx.x];
}

// what: 1 out of bounds, 2 misaligned, 3 trap, 4 assertion
extern "C" __global__ void fail(float *x, int what)
{
  if (what == 1) x[threadIdx.x + 100000000] = 1;
  if (what == 2) *(float *)((char *)x + 1) = 1;
  if (what == 3) __trap();
  assert(what != 4);
  x[threadIdx.x] = what;
}
