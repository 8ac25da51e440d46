// Running sums within groups of eight lanes, but only the
// lanes that add come to the shuffle.
extern "C" __global__
void scan4(int *out)
{
  int laneId = threadIdx.x & 31;
  int value = 31 - laneId;
  #pragma unroll 1
  for (int i = 1; i <= 4; i *= 2) {
    if ((laneId & 7) >= i)
      value += __shfl_up_sync(0xffffffff, value, i, 8);
  }
  out[threadIdx.x] = value;
}
