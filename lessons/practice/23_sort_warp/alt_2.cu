// By rank: how many are smaller? Of equal ones the lower lane.
extern "C" __global__ void sort32(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int mine = i < n ? x[i] : 0x7fffffff;
  int rank = 0;
#pragma unroll
  for (int d = 1; d < 32; ++d) {
    int from = (lane + d) % 32;
    int other = __shfl_sync(~0u, mine, from);
    rank += other < mine || (other == mine && from < lane);
  }
  int place = i - lane + rank;
  if (place < n) x[place] = mine;
}
