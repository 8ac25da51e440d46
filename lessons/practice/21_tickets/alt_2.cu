// A ticket is good for two jobs: half of the atomics.
// The smallest divisor of v that is not 1: long for primes.
__device__ int divisor(int v) {
  int d = 2;
#pragma unroll 1
  while (v % d != 0) ++d;
  return d;
}

extern "C" __global__ void work(int *out, int *next,
                                const int *job, int n) {
#pragma unroll 1
  for (;;) {
    int ticket = atomicAdd(next, 2);
    if (ticket >= n) break;
    out[ticket] = divisor(job[ticket]);
    if (ticket + 1 < n) {
      out[ticket + 1] = divisor(job[ticket + 1]);
    }
  }
}
