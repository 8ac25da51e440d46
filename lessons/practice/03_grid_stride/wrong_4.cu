// Asks behind the first element: not every thread has one.
extern "C" __global__ void axpy(float *y, const float *x,
                                float a, int n) {
  int all = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  do {
    y[i] = y[i] + a * x[i];
    i += all;
  } while (i < n);
}
