// y[i] = y[i] + a * x[i] for all i < n, with fewer threads
// than elements, or with more. Any grid must work.
extern "C" __global__ void axpy(float *y, const float *x,
                                float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // TODO: where does this thread go on?
  if (i < n)
    y[i] = y[i] + a * x[i];
}
