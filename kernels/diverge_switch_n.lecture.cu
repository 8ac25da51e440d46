// A switch with four arms, each of them a loop. Lane t
// begins at arm t % N.
__device__ unsigned do_arm(unsigned value, int arm,
                           int steps)
{
  #pragma unroll 1
  for (int i = 0; i < steps; i++)
    value = value * 3 + arm;
  return value;
}

extern "C" __global__
void diverge_switch_n(unsigned *out, int N, int steps)
{
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = id;
  switch (threadIdx.x % N) {
  case 0:
    value = do_arm(value, 0, steps);
  case 1:
    value = do_arm(value, 1, steps);
  case 2:
    value = do_arm(value, 2, steps);
  case 3:
    value = do_arm(value, 3, steps);
  }
  out[id] = value;
}
