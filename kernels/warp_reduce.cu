// Sum over a warp by a butterfly: after five exchanges
// every lane holds the total.
extern "C" __global__
void warpReduce(int *out)
{
  int laneId = threadIdx.x & 31;
  int value = 31 - laneId;
  #pragma unroll 1
  for (int i = 16; i >= 1; i /= 2)
    value += __shfl_xor_sync(0xffffffff, value, i, 32);
  out[threadIdx.x] = value;
}
