// Warp 0 scans the totals for all: two barriers.
extern "C" __global__ void scan(int *y, int *sums,
                                const int *x, int n) {
  __shared__ int total[8];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int i = blockIdx.x * 256 + t;
  int v = i < n ? x[i] : 0;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    int left = __shfl_up_sync(~0u, v, d);
    if (lane >= d) v += left;
  }
  if (lane == 31) total[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int p = lane < 8 ? total[lane] : 0;
#pragma unroll
    for (int d = 1; d < 8; d *= 2) {
      int left = __shfl_up_sync(~0u, p, d);
      if (lane >= d) p += left;
    }
    if (lane < 8) total[lane] = p;
  }
  __syncthreads();
  if (warp > 0) v += total[warp - 1];
  if (i < n) y[i] = v;
  if (t == 255) sums[blockIdx.x] = v;
}
