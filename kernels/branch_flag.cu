// A flag for each thread chooses one of two functions.
__device__ unsigned function1(unsigned x, int steps)
{
  #pragma unroll 1
  for (int i = 0; i < steps; i++)
    x = x * 3 + 1;
  return x;
}

__device__ unsigned function2(unsigned x, int steps)
{
  #pragma unroll 1
  for (int i = 0; i < steps; i++)
    x = x * 5 + 2;
  return x;
}

extern "C" __global__
void branch_flag(unsigned *x, const int *flags, int steps)
{
  int tid = threadIdx.x;
  int flag = flags[tid];
  if (flag == 0)
    x[tid] = function1(x[tid], steps);
  else
    x[tid] = function2(x[tid], steps);
}
