// Lane 0 knows a value; a shuffle tells all the others.
extern "C" __global__
void bcast(int *out, int arg)
{
  int laneId = threadIdx.x & 31;
  int value;
  if (laneId == 0)
    value = arg;
  value = __shfl_sync(0xffffffff, value, 0);
  out[threadIdx.x] = value;
}
