// The tree of the last exercise: nine barriers.
extern "C" __global__ void sum(float *out, const float *x,
                               int n) {
  __shared__ float part[256];
  int t = threadIdx.x;
  float v = 0;
#pragma unroll 1
  for (int i = t; i < n; i += 256)
    v += x[i];
  part[t] = v;
  __syncthreads();
#pragma unroll 1
  for (int half = 128; half > 0; half /= 2) {
    if (t < half)
      part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0)
    out[0] = part[0];
}
