// Stops with two sums: thread 0 adds them.
extern "C" __global__ void dot(float *out, const float *x,
                               const float *y, int n) {
  __shared__ float part[256];
  int t = threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int i = t; i < n; i += 256)
    sum += x[i] * y[i];
  part[t] = sum;
  __syncthreads();
#pragma unroll
  for (int half = 128; half > 1; half /= 2) {
    if (t < half)
      part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0)
    out[0] = part[0] + part[1];
}
