// Two sides of a branch: when the lanes of a warp
// disagree, the warp walks both, one after the other.
extern "C" __global__
void diverge_if_else(unsigned *out, int period, int k,
                     int a_steps, int b_steps)
{
  int tid = threadIdx.x;
  int id = blockIdx.x * blockDim.x + tid;
  unsigned value = id;
  bool foo = tid % period < k;
  if (foo) {
    #pragma unroll 1
    for (int i = 0; i < a_steps; i++)   // do_A
      value = value * 3 + 1;
  } else {
    #pragma unroll 1
    for (int i = 0; i < b_steps; i++)   // do_B
      value = value * 5 + 2;
  }
  out[id] = value;
}
