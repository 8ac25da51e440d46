// The same branch twice over: either whole warps choose
// a side of it, or every second lane of each warp.
extern "C" __global__
void diverge_between_warps(unsigned *out, int group,
                           int steps)
{
  int tid = threadIdx.x;
  int id = blockIdx.x * blockDim.x + tid;
  unsigned value = id;
  bool foo = tid / group % 2 == 0;
  if (foo) {
    #pragma unroll 1
    for (int i = 0; i < steps; i++)     // do_A
      value = value * 3 + 1;
  } else {
    #pragma unroll 1
    for (int i = 0; i < steps; i++)     // do_B
      value = value * 5 + 2;
  }
  out[id] = value;
}
