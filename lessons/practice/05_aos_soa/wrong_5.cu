// Staged as three rows of 128: thirds of p, not x, y and z.
#define BLOCK 128

extern "C" __global__ void split(float *x, float *y,
                                 float *z, const float *p,
                                 int n) {
  __shared__ float stage[3][BLOCK];
  int t = threadIdx.x;
  int start = blockIdx.x * (3 * BLOCK);
  int i = blockIdx.x * BLOCK + t;
#pragma unroll 1
  for (int c = 0; c < 3; ++c)
    if (start + c * BLOCK + t < 3 * n)
      stage[c][t] = p[start + c * BLOCK + t];
  __syncthreads();
  if (i < n) {
    x[i] = stage[0][t];
    y[i] = stage[1][t];
    z[i] = stage[2][t];
  }
}
