// An atomic for each element, to sums that nobody has set.
extern "C" __global__ void fused(float *y, float *sums,
                                 const float *x, float a,
                                 float b, int n) {
  int i = 256 * blockIdx.x + threadIdx.x;
  if (i >= n) return;
  float value = fmaxf(a * x[i] + b, 0);
  y[i] = value;
  atomicAdd(&sums[blockIdx.x], value * value);
}
