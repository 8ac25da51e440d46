// Sums from the left, in runs of 32 elements by shuffles, and block by block: first in each warp, then with what the
// warps before it come to.
__device__ int scan_lanes(int v) {
  int lane = threadIdx.x % 32;
  #pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    int left = __shfl_up_sync(~0u, v, d);
    if (lane >= d) v += left;
  }
  return v;
}

extern "C" __global__ void scan_warp(const int *x, int *y, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  int v = scan_lanes(i < n ? x[i] : 0);
  if (i < n) y[i] = v;
}

extern "C" __global__ void scan_block(const int *x, int *y, int *sums, int n) {
  __shared__ int total[8];
  int t = threadIdx.x, warp = t / 32, i = blockIdx.x * 256 + t;
  int v = scan_lanes(i < n ? x[i] : 0);
  if (t % 32 == 31) total[warp] = v;
  __syncthreads();
  #pragma unroll
  for (int k = 0; k < 7; k++)
    if (k < warp) v += total[k];
  if (i < n) y[i] = v;
  if (t == 255) sums[blockIdx.x] = v;
}
