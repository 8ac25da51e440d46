// The block's sum, for every thread of it. All of them
// come, spare ones with 0.
__device__ float fold(float v) {
  __shared__ float total[8];
  int lane = threadIdx.x % 32;
#pragma unroll
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_xor_sync(~0u, v, d);
  if (lane == 0) total[threadIdx.x / 32] = v;
  __syncthreads();
  v = lane < 8 ? total[lane] : 0;
#pragma unroll
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_xor_sync(~0u, v, d);
  return v;
}

// Block b: its sum to part[b]. The block that is last to be
// done adds the partial sums to out[0]. done[0] begins with
// 0, and is to be 0 again at the end.
extern "C" __global__ void sum(float *out, float *part,
                               unsigned *done,
                               const float *x, int n) {
  // TODO
}
