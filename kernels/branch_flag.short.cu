// A flag for each thread decides whether one is added: so short
// that the compiler makes no branch of it.
extern "C" __global__
void branch_flag(unsigned *x, const int *flags, int steps)
{
  int tid = threadIdx.x;
  int flag = flags[tid];
  unsigned value = x[tid];
  if (flag == 0)
    value = value + 1;
  x[tid] = value;
}
