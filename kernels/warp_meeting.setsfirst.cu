// Half of a warp waits for a flag that the other half sets.
// The half that sets it stands in the if, not in the else.
extern "C" __global__
void warp_meeting(int *out, volatile int *flag)
{
  int lane = threadIdx.x & 31;
  if (lane < 16) {
    *flag = 1;
    out[lane] = 2;
  } else {
    while (*flag == 0)
      ;
    out[lane] = 1;
  }
}
