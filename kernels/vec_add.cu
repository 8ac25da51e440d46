// C = A + B: one thread for each element.
extern "C" __global__
void addKernel(float *A_d, float *B_d, float *C_d, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float a = A_d[i];
    float b = B_d[i];
    C_d[i] = a + b;
  }
}
