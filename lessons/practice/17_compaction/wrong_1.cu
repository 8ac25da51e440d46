// Counts itself among those before: place 0 stays empty.
extern "C" __global__ void keep(int *out, int *count,
                                const int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int v = i < n ? x[i] : 0;
  unsigned kept = __ballot_sync(~0u, v > 0);
  int at = 0;
  if (lane == 0) at = atomicAdd(count, __popc(kept));
  at = __shfl_sync(~0u, at, 0);
  int rank = __popc(kept & ((2u << lane) - 1));
  if (v > 0) out[at + rank] = v;
}
