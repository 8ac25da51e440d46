// One atomic of a warp draws a ticket for each of its lanes.
// The smallest divisor of v that is not 1: long for primes.
__device__ int divisor(int v) {
  int d = 2;
#pragma unroll 1
  while (v % d != 0) ++d;
  return d;
}

extern "C" __global__ void work(int *out, int *next,
                                const int *job, int n) {
  int lane = threadIdx.x % 32;
  int here = min(32, (int)blockDim.x - (int)threadIdx.x + lane);
  unsigned warp = here < 32 ? (1u << here) - 1 : ~0u;
  int first = 0;
#pragma unroll 1
  for (;;) {
    if (lane == 0) first = atomicAdd(next, here);
    first = __shfl_sync(warp, first, 0);
    if (first >= n) break;
    int ticket = first + lane;
    if (ticket < n) out[ticket] = divisor(job[ticket]);
    __syncwarp(warp);
  }
}
