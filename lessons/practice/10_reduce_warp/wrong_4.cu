// The last warp over volatile words, as before Volta.
extern "C" __global__ void sum(float *out, const float *x,
                               int n) {
  __shared__ volatile float part[256];
  int t = threadIdx.x;
  float v = 0;
#pragma unroll 1
  for (int i = t; i < n; i += 256)
    v += x[i];
  part[t] = v;
  __syncthreads();
  if (t < 128)
    part[t] += part[t + 128];
  __syncthreads();
  if (t < 32) {
    float far = part[t + 32] + part[t + 64] + part[t + 96];
    part[t] = part[t] + far;
#pragma unroll 1
    for (int d = 16; d > 0; d /= 2)
      part[t] = part[t] + part[t + d];
    if (t == 0)
      out[0] = part[0];
  }
}
