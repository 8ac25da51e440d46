// Shared memory, and the loads of before: nothing gained.
#define BLOCK 128

extern "C" __global__ void split(float *x, float *y,
                                 float *z, const float *p,
                                 int n) {
  __shared__ float stage[3 * BLOCK];
  int t = threadIdx.x;
  int point = blockIdx.x * BLOCK + t;
#pragma unroll 1
  for (int c = 0; c < 3; ++c)
    if (point < n)
      stage[3 * t + c] = p[3 * point + c];
  __syncthreads();
  int i = blockIdx.x * BLOCK + t;
  if (i < n) {
    x[i] = stage[3 * t];
    y[i] = stage[3 * t + 1];
    z[i] = stage[3 * t + 2];
  }
}
