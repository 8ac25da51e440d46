// Half of a warp waits for a flag that the other half sets.
// It ends only if each half goes on by itself.
extern "C" __global__
void warp_meeting(int *out, volatile int *flag)
{
  int lane = threadIdx.x & 31;
  if (lane < 16) {
    while (*flag == 0)
      ;
    out[lane] = 1;
  } else {
    *flag = 1;
    out[lane] = 2;
  }
}
