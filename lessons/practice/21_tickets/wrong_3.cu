// One ticket for each thread, and its result in the place of
// the thread.
// The smallest divisor of v that is not 1: long for primes.
__device__ int divisor(int v) {
  int d = 2;
#pragma unroll 1
  while (v % d != 0) ++d;
  return d;
}

extern "C" __global__ void work(int *out, int *next,
                                const int *job, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int ticket = atomicAdd(next, 1);
  if (ticket < n) out[i] = divisor(job[ticket]);
}
