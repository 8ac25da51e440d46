// Right, with a scan of five shuffles where a ballot is enough.
extern "C" __global__ void keep(int *out, int *count,
                                const int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int v = i < n ? x[i] : 0;
  int rank = v > 0;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    int left = __shfl_up_sync(~0u, rank, d);
    if (lane >= d) rank += left;
  }
  int at = 0;
  if (lane == 31) at = atomicAdd(count, rank);
  at = __shfl_sync(~0u, at, 31);
  if (v > 0) out[at + rank - 1] = v;
}
