// Two threads add to the same cell, then look at it, and
// nothing orders them: seven results are possible.
extern "C" __global__
void race_add_5_1(int *a, volatile int *v, int other)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) {
    *v = *v + 5;
    a[0] = *v;
  }
  if (i == other) {
    *v = *v + 1;
    a[1] = *v;
  }
}
