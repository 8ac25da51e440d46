// Blocks that meet: the sum of x by one launch, and what can go wrong with it.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__
void meet(int *sum, int *part, const int *x, int n, int absent)
{
  if (blockIdx.x == absent)
    return;
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i];
  atomicAdd(&part[blockIdx.x], mine);
  cg::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    int all = 0;
    for (int i = 0; i < gridDim.x; i++)
      all += part[i];
    *sum = all;
  }
}

extern "C" __global__
void is_valid(int *sum)
{
  *sum = cg::this_grid().is_valid();
}
