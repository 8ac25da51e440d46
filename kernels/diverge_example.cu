// Some lanes run this first, the others then run that, and
// afterwards the warp is whole again.
__device__ unsigned work(unsigned value, int factor,
                         int steps)
{
  #pragma unroll 1
  for (int i = 0; i < steps; i++)
    value = value * factor + 1;
  return value;
}

extern "C" __global__
void diverge_example(unsigned *out, unsigned *inside,
                     unsigned *again, int period, int k,
                     int steps)
{
  int tid = threadIdx.x;
  bool condition = tid % period < k;
  unsigned value, here;
  if (condition) {
    here = __activemask();
    value = work(tid, 3, steps);       // run_this_first
  } else {
    here = __activemask();
    value = work(tid, 5, 2 * steps);   // then_run_this
  }
  inside[tid] = here;
  __syncwarp();                        // converged_again
  again[tid] = __activemask();
  out[tid] = value;
}
