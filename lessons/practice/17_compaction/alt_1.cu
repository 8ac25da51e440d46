// The first lane that keeps asks; a warp without any leaves.
extern "C" __global__ void keep(int *out, int *count,
                                const int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int v = i < n ? x[i] : 0;
  unsigned kept = __ballot_sync(~0u, v > 0);
  if (kept == 0) return;
  int first = __ffs(kept) - 1, at = 0;
  if (lane == first) at = atomicAdd(count, __popc(kept));
  at = __shfl_sync(~0u, at, first);
  int rank = __popc(kept & ((1u << lane) - 1));
  if (v > 0) out[at + rank] = v;
}
