// Every warp scans the eight totals, by shuffles.
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
  int p = lane < 8 ? total[lane] : 0;
#pragma unroll
  for (int d = 1; d < 8; d *= 2) {
    int left = __shfl_up_sync(~0u, p, d);
    if (lane >= d) p += left;
  }
  int before = __shfl_sync(~0u, p, (warp + 31) % 32);
  if (warp > 0) v += before;
  if (i < n) y[i] = v;
  if (t == 255) sums[blockIdx.x] = v;
}
