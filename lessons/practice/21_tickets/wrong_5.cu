// No tickets: each thread has its share from the start.
// The smallest divisor of v that is not 1: long for primes.
__device__ int divisor(int v) {
  int d = 2;
#pragma unroll 1
  while (v % d != 0) ++d;
  return d;
}

extern "C" __global__ void work(int *out, int *next,
                                const int *job, int n) {
  int step = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (; i < n; i += step) out[i] = divisor(job[i]);
}
