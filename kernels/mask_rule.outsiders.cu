// A shuffle: its mask names the lanes that come, and was
// computed before.
extern "C" __global__
void mask_rule(int *out, int lanes)
{
  int lane = threadIdx.x & 31;
  int value = 100 + lane;
  unsigned come = __ballot_sync(0xffffffff, lane < lanes);
  value = __shfl_sync(come, value, 3);
  out[lane] = value;
}
