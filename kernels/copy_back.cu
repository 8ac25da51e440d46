// What the host waits for: each element becomes its square.
extern "C" __global__
void square(int *y, const int *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * x[i];
}
