// Even numbers are counted, and each thread with one adds
// 1 by itself.
extern "C" __global__
void count_even(int *count, const int *in, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 2 == 0)
    atomicAdd(count, 1);
}
