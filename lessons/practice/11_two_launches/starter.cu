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

// Any number of blocks of 256 threads: the sum of block b
// goes to part[b].
extern "C" __global__ void partial(float *part,
                                   const float *x, int n) {
  // TODO
}

// One block of 256 threads: the sum of the m partial sums.
extern "C" __global__ void final(float *out,
                                 const float *part, int m) {
  // TODO
}
