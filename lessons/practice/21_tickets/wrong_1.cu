// atomicInc goes back to 0 behind n, and hands out n itself.
// The smallest divisor of v that is not 1: long for primes.
__device__ int divisor(int v) {
  int d = 2;
#pragma unroll 1
  while (v % d != 0) ++d;
  return d;
}

extern "C" __global__ void work(int *out, int *next,
                                const int *job, int n) {
  int rounds = n / (gridDim.x * blockDim.x) + 1;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
    unsigned ticket = atomicInc((unsigned *)next, n);
    out[ticket] = divisor(job[ticket]);
  }
}
