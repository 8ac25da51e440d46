// Every block has to see what all others wrote. The end of
// the first kernel is the barrier of the whole grid.
extern "C" __global__
void step1(int *a, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = i * i;
}

extern "C" __global__
void step2(int *b, const int *a, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[n - 1 - i];
}

// Both steps in one kernel.
extern "C" __global__
void both_steps(int *b, int *a, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = i * i;
  __syncthreads();
  if (i < n)
    b[i] = a[n - 1 - i];
}
