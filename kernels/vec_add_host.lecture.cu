// C = A + B without a guard: the launch must have exactly
// as many threads as there are elements.
extern "C" __global__
void add(float *a, float *b, float *c, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];
}
