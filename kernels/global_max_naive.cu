// The largest value: every thread of the grid goes to the
// same word of memory.
extern "C" __global__
void global_max(int *gl_max, int *values, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int value = values[i];
    atomicMax(gl_max, value);
  }
}
