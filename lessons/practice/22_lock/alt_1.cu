// The lanes of a warp come one after the other: one wants the
// lock at a time.
extern "C" __global__ void add(int *lock, int *total,
                               const int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile int *guarded = total;
#pragma unroll 1
  for (int turn = 0; turn < 32; ++turn) {
    if (turn == threadIdx.x % 32) {
      while (atomicCAS(lock, 0, 1) != 0) { }
      __threadfence();
      guarded[0] = guarded[0] + x[i];
      if (x[i] > guarded[1]) guarded[1] = x[i];
      __threadfence();
      atomicExch(lock, 0);
    }
  }
}
