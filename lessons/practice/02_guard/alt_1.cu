// Leaves early: fine as long as no barrier follows.
extern "C" __global__ void add(float *z, const float *x,
                               const float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n <= i)
    return;
  float left = x[i];
  float right = y[i];
  z[i] = left + right;
}
