// z[i] = x[i] + y[i] for i < n. The grid is rounded up to
// whole blocks: there may be more threads than elements.
extern "C" __global__ void add(float *z, const float *x,
                               const float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // TODO: who has an element?
  z[i] = x[i] + y[i];
}
