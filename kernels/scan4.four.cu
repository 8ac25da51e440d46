// Running sums within groups of eight lanes.
extern "C" __global__
void scan4(int *out)
{
  int laneId = threadIdx.x & 31;
  int value = 31 - laneId;
  #pragma unroll 1
  for (int i = 1; i <= 8; i *= 2) {
    int n = __shfl_up_sync(0xffffffff, value, i, 8);
    if ((laneId & 7) >= i)
      value += n;
  }
  out[threadIdx.x] = value;
}
