// The mask names some lanes, and all 32 come: those that it
// does not name have no business here.
extern "C" __global__
void mask_rule(int *out, int lanes)
{
  int lane = threadIdx.x & 31;
  int value = 100 + lane;
  unsigned come = __ballot_sync(0xffffffff, lane < lanes);
  value = __shfl_sync(come, value, 3);
  out[lane] = value;
}
