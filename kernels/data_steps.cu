// Each thread runs its loop as often as its number says. A
// warp goes on until the last of its lanes is done.
extern "C" __global__
void data_steps(unsigned *out, int *counts)
{
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = id;
  int steps = counts[id];
  #pragma unroll 1
  for (int i = 0; i < steps; i++)
    value = value * 3 + 1;
  out[id] = value;
}
