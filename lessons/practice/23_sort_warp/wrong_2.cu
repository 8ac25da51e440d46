// Neighbors exchange by turns; those at the rim have none, and
// stay away from the shuffle.
extern "C" __global__ void sort32(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int mine = i < n ? x[i] : 0x7fffffff;
#pragma unroll 1
  for (int turn = 0; turn < 32; ++turn) {
    int with = lane + ((lane + turn) % 2 ? -1 : 1);
    if (with >= 0 && with < 32) {
      int other = __shfl_sync(~0u, mine, with);
      mine = lane < with ? min(mine, other)
                         : max(mine, other);
    }
  }
  if (i < n) x[i] = mine;
}
