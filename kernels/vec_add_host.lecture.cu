// C = A + B. The host copies a and b to the device and c
// back: see the steps of the program.
extern "C" __global__
void add(float *a, float *b, float *c, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];
}
