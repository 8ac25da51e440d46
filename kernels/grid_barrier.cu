#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// One launch: all blocks meet in the middle, then the first one adds up what
// each has found.
extern "C" __global__
void sum_at_once(int *sum, int *part, const int *x, int n)
{
  __shared__ int found;
  if (threadIdx.x == 0)
    found = 0;
  __syncthreads();
  int mine = 0;
  #pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i];
  atomicAdd(&found, mine);
  __syncthreads();
  if (threadIdx.x == 0)
    part[blockIdx.x] = found;
  cg::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    int all = 0;
    #pragma unroll 1
    for (int k = 0; k < gridDim.x; k++)
      all += part[k];
    *sum = all;
  }
}

// Two launches: the end of the first is the barrier.
extern "C" __global__
void sum_parts(int *part, const int *x, int n)
{
  __shared__ int found;
  if (threadIdx.x == 0)
    found = 0;
  __syncthreads();
  int mine = 0;
  #pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i];
  atomicAdd(&found, mine);
  __syncthreads();
  if (threadIdx.x == 0)
    part[blockIdx.x] = found;
}

extern "C" __global__
void sum_all(int *sum, const int *part, int blocks)
{
  int all = 0;
  #pragma unroll 1
  for (int k = 0; k < blocks; k++)
    all += part[k];
  *sum = all;
}
