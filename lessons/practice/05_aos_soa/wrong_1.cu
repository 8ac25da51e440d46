// No barrier between filling and taking.
#define BLOCK 128

extern "C" __global__ void split(float *x, float *y,
                                 float *z, const float *p,
                                 int n) {
  __shared__ float stage[3 * BLOCK];
  int t = threadIdx.x;
  int start = blockIdx.x * (3 * BLOCK);
#pragma unroll 1
  for (int k = t; k < 3 * BLOCK; k += BLOCK)
    if (start + k < 3 * n)
      stage[k] = p[start + k];
  int i = blockIdx.x * BLOCK + t;
  if (i < n) {
    x[i] = stage[3 * t];
    y[i] = stage[3 * t + 1];
    z[i] = stage[3 * t + 2];
  }
}
