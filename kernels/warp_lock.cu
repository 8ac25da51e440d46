// A lock that lanes of one warp compete for. Who gets it
// does its work and lets go before the next round.
extern "C" __global__
void warp_lock(volatile int *counter, int *lock)
{
  bool waiting = true;
  #pragma unroll 1
  while (waiting) {
    if (atomicCAS(lock, 0, 1) == 0) {
      int n = *counter;
      *counter = n + 1;
      __threadfence();
      atomicExch(lock, 0);
      waiting = false;
    }
  }
}
