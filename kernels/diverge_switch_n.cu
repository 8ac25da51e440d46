// A switch with N inhabited arms: a warp needs one pass
// for each arm that some lane of it takes.
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
    break;
  case 1:
    value = do_arm(value, 1, steps);
    break;
  case 2:
    value = do_arm(value, 2, steps);
    break;
  case 3:
    value = do_arm(value, 3, steps);
    break;
  case 4:
    value = do_arm(value, 4, steps);
    break;
  case 5:
    value = do_arm(value, 5, steps);
    break;
  case 6:
    value = do_arm(value, 6, steps);
    break;
  case 7:
    value = do_arm(value, 7, steps);
    break;
  case 8:
    value = do_arm(value, 8, steps);
    break;
  case 9:
    value = do_arm(value, 9, steps);
    break;
  case 10:
    value = do_arm(value, 10, steps);
    break;
  case 11:
    value = do_arm(value, 11, steps);
    break;
  case 12:
    value = do_arm(value, 12, steps);
    break;
  case 13:
    value = do_arm(value, 13, steps);
    break;
  case 14:
    value = do_arm(value, 14, steps);
    break;
  case 15:
    value = do_arm(value, 15, steps);
    break;
  case 16:
    value = do_arm(value, 16, steps);
    break;
  case 17:
    value = do_arm(value, 17, steps);
    break;
  case 18:
    value = do_arm(value, 18, steps);
    break;
  case 19:
    value = do_arm(value, 19, steps);
    break;
  case 20:
    value = do_arm(value, 20, steps);
    break;
  case 21:
    value = do_arm(value, 21, steps);
    break;
  case 22:
    value = do_arm(value, 22, steps);
    break;
  case 23:
    value = do_arm(value, 23, steps);
    break;
  case 24:
    value = do_arm(value, 24, steps);
    break;
  case 25:
    value = do_arm(value, 25, steps);
    break;
  case 26:
    value = do_arm(value, 26, steps);
    break;
  case 27:
    value = do_arm(value, 27, steps);
    break;
  case 28:
    value = do_arm(value, 28, steps);
    break;
  case 29:
    value = do_arm(value, 29, steps);
    break;
  case 30:
    value = do_arm(value, 30, steps);
    break;
  case 31:
    value = do_arm(value, 31, steps);
    break;
  }
  out[id] = value;
}
