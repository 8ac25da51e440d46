// Kernels whose result depends on the order of their threads, and some for which it does not. test_orders.c has their outcomes.

extern "C" __global__ void increments(volatile int *v)       // two threads of two warps: load, store
{
  if (threadIdx.x % 32 == 0) *v = *v + 1;
}

extern "C" __global__ void race_add_5_1(volatile int *v, int *a)   // load, store, load; and what each saw
{
  if (threadIdx.x == 0) {
    *v = *v + 5;
    a[0] = *v;
  }
  if (threadIdx.x == 32) {
    *v = *v + 1;
    a[1] = *v;
  }
}

extern "C" __global__ void store_buffering(volatile int *x, volatile int *y, int *r)
{
  if (threadIdx.x == 0) {
    *x = 1;
    r[0] = *y;
  }
  if (threadIdx.x == 32) {
    *y = 1;
    r[1] = *x;
  }
}

extern "C" __global__ void tickets(unsigned *next, unsigned *r)    // who comes first
{
  if (threadIdx.x % 32 == 0) r[threadIdx.x / 32] = atomicAdd(next, 1u);
}

extern "C" __global__ void lanes(volatile int *v)            // two lanes of one warp, on two ways
{
  if (threadIdx.x == 0) *v = *v + 5;
  else if (threadIdx.x == 1) *v = *v + 1;
}

extern "C" __global__ void atomics(int *v)                   // any order gives the same
{
  if (threadIdx.x % 32 == 0) atomicAdd(v, threadIdx.x ? 1 : 5);
}

extern "C" __global__ void barrier(volatile int *v, int *r)
{
  if (threadIdx.x == 0) *v = 7;
  __syncthreads();
  if (threadIdx.x == 32) r[0] = *v;
}

extern "C" __global__ void warp_sum(volatile int *out)       // no __syncwarp() between the steps
{
  volatile __shared__ int s[64];
  int i = threadIdx.x;
  s[i] = i;
  s[i + 32] = 0;
  for (int d = 16; d > 0; d /= 2) s[i] = s[i] + s[i + d];
  if (i == 0) *out = s[0];
}

extern "C" __global__ void float_sum(float *sum)             // the order decides the rounding
{
  if (threadIdx.x % 32 == 0) atomicAdd(sum, 1.0f / (3.0f + threadIdx.x));
}
