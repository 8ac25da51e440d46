// A branch inside a branch: three groups of lanes,
// three walks through the code.
extern "C" __global__
void diverge_nested(unsigned *out, int k, int steps)
{
  int tid = threadIdx.x;
  int id = blockIdx.x * blockDim.x + tid;
  unsigned value = id;
  bool foo = tid % 32 < k;
  bool bar = tid % 2 == 1;
  if (foo) {
    if (bar) {
      #pragma unroll 1
      for (int i = 0; i < steps; i++)   // do_A
        value = value * 3 + 1;
    } else {
      #pragma unroll 1
      for (int i = 0; i < steps; i++)   // do_B
        value = value * 5 + 2;
    }
  } else {
    #pragma unroll 1
    for (int i = 0; i < steps; i++)     // do_C
      value = value * 7 + 3;
  }
  out[id] = value;
}
