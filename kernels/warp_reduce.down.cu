// Sum over a warp by shuffling down: after five rounds lane
// 0 holds the total, the others sums of less.
extern "C" __global__
void warpReduce(int *out)
{
  int laneId = threadIdx.x & 31;
  int value = 31 - laneId;
  #pragma unroll 1
  for (int i = 16; i >= 1; i /= 2)
    value += __shfl_down_sync(0xffffffff, value, i);
  out[threadIdx.x] = value;
}
