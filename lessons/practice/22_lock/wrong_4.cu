// A thread that changes nothing returns with the lock.
extern "C" __global__ void add(int *lock, int *total,
                               const int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile int *guarded = total;
  bool waiting = true;
#pragma unroll 1
  while (waiting) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      guarded[0] = guarded[0] + x[i];
      if (x[i] <= guarded[1]) return;
      guarded[1] = x[i];
      __threadfence();
      atomicExch(lock, 0);
      waiting = false;
    }
  }
}
