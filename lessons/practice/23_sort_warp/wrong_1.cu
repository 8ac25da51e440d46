// All stages rise: that is no sorting network.
extern "C" __global__ void sort32(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int mine = i < n ? x[i] : 0x7fffffff;
#pragma unroll
  for (int run = 2; run <= 32; run *= 2) {
#pragma unroll
    for (int d = run / 2; d > 0; d /= 2) {
      int other = __shfl_xor_sync(~0u, mine, d);
      mine = lane & d ? max(mine, other) : min(mine, other);
    }
  }
  if (i < n) x[i] = mine;
}
