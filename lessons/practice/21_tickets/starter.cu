// out[q] = divisor(job[q]) for every q below n. Some jobs are
// a hundred times as long as others, so whoever is free takes
// a ticket: next[0] is the number of the next job, 0 at the
// start. Any grid.

// The smallest divisor of v that is not 1: long for primes.
__device__ int divisor(int v) {
  int d = 2;
#pragma unroll 1
  while (v % d != 0) ++d;
  return d;
}

extern "C" __global__ void work(int *out, int *next,
                                const int *job, int n) {
  // TODO: take tickets until there are none.
}
