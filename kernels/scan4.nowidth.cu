// Running sums within groups of eight lanes. The shuffle
// reaches over the borders of the groups, the if does not.
extern "C" __global__
void scan4(int *out)
{
  int laneId = threadIdx.x & 31;
  int value = 31 - laneId;
  #pragma unroll 1
  for (int i = 1; i <= 4; i *= 2) {
    int n = __shfl_up_sync(0xffffffff, value, i);
    if ((laneId & 7) >= i)
      value += n;
  }
  out[threadIdx.x] = value;
}
