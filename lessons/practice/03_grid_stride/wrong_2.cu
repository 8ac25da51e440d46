// Steps by one block: the blocks do each other's elements.
extern "C" __global__ void axpy(float *y, const float *x,
                                float a, int n) {
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < n; i += blockDim.x)
    y[i] = y[i] + a * x[i];
}
