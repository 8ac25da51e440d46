// A lock that lanes of one warp compete for. Wait until it
// is free, do the work, let go.
extern "C" __global__
void warp_lock(volatile int *counter, int *lock)
{
  #pragma unroll 1
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  int n = *counter;
  *counter = n + 1;
  __threadfence();
  atomicExch(lock, 0);
}




