// One lane adds for all lanes of its warp with the same value.
extern "C" __global__ void hist(int *bins, const int *x,
                                int n) {
  __shared__ int own[64];
  int t = threadIdx.x, lane = t % 32;
  if (t < 64) own[t] = 0;
  __syncthreads();
  int step = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int k = blockIdx.x * blockDim.x; k < n; k += step) {
    int v = k + t < n ? x[k + t] : -1;
    unsigned same = __match_any_sync(~0u, v);
    if (v >= 0 && lane == __ffs(same) - 1)
      atomicAdd(&own[v], __popc(same));
  }
  __syncthreads();
  if (t < 64) atomicAdd(&bins[t], own[t]);
}
