// Each sum stays in its register, and only those are stored
// that another thread will add.
extern "C" __global__ void dot(float *out, const float *x,
                               const float *y, int n) {
  __shared__ float part[256];
  int t = threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int i = t; i < n; i += 256)
    sum += x[i] * y[i];
#pragma unroll 1
  for (int half = 128; half > 0; half /= 2) {
    if (half <= t && t < 2 * half)
      part[t] = sum;
    __syncthreads();
    if (t < half)
      sum += part[t + half];
  }
  if (t == 0)
    out[0] = sum;
}
