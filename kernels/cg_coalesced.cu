#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Even numbers are counted. Those who are together inside
// the if form a group, and one of them adds for all.
extern "C" __global__
void count_even(int *count, const int *in, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 2 == 0) {
    auto here = cg::coalesced_threads();
    if (here.thread_rank() == 0)
      atomicAdd(count, here.size());
  }
}
