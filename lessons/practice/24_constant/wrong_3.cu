// Leaves out what stands behind n, though x goes on to n + 7.
__constant__ float c[8] = {1, -2, 3, -4, 4, -3, 2, -1};

extern "C" __global__ void filter(float *y, const float *x,
                                  int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll 1
  for (int j = 0; j < 8; ++j) {
    if (i + j < n) sum += c[j] * x[i + j];
  }
  y[i] = sum;
}
