// A shuffle inside an if, with a mask that names all 32
// lanes. Some of them never come.
extern "C" __global__
void mask_rule(int *out, int lanes)
{
  int lane = threadIdx.x & 31;
  int value = 100 + lane;
  if (lane < lanes)
    value = __shfl_sync(0xffffffff, value, 3);
  out[lane] = value;
}
