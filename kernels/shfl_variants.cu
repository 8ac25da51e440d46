// Four ways to say which lane's value to read. Each group
// of width lanes counts its lanes from 0.
extern "C" __global__
void shfl_idx(int *out, int arg, int width)
{
  int laneId = threadIdx.x & 31;
  int value = 100 + laneId;
  value = __shfl_sync(0xffffffff, value, arg, width);
  out[laneId] = value;
}

extern "C" __global__
void shfl_up(int *out, int arg, int width)
{
  int laneId = threadIdx.x & 31;
  int value = 100 + laneId;
  value = __shfl_up_sync(0xffffffff, value, arg, width);
  out[laneId] = value;
}

extern "C" __global__
void shfl_down(int *out, int arg, int width)
{
  int laneId = threadIdx.x & 31;
  int value = 100 + laneId;
  value = __shfl_down_sync(0xffffffff, value, arg, width);
  out[laneId] = value;
}

extern "C" __global__
void shfl_xor(int *out, int arg, int width)
{
  int laneId = threadIdx.x & 31;
  int value = 100 + laneId;
  value = __shfl_xor_sync(0xffffffff, value, arg, width);
  out[laneId] = value;
}
