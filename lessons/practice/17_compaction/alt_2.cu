// One atomic for each block: its warps share the places.
extern "C" __global__ void keep(int *out, int *count,
                                const int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int part[4], base;
  int warp = threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  int v = i < n ? x[i] : 0;
  unsigned kept = __ballot_sync(~0u, v > 0);
  if (lane == 0) part[warp] = __popc(kept);
  __syncthreads();
  if (threadIdx.x == 0)
    base = atomicAdd(count, part[0] + part[1] + part[2] +
                                part[3]);
  __syncthreads();
  int at = base;
#pragma unroll
  for (int k = 0; k < 3; ++k)
    if (k < warp) at += part[k];
  int rank = __popc(kept & ((1u << lane) - 1));
  if (v > 0) out[at + rank] = v;
}
