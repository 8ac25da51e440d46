// Forgets the other warps: the sum of the first one.
extern "C" __global__ void sum(float *out, const float *x,
                               int n) {
  int t = threadIdx.x;
  float v = 0;
#pragma unroll 1
  for (int i = t; i < n; i += 256)
    v += x[i];
#pragma unroll
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(0xffffffff, v, d);
  if (t == 0)
    out[0] = v;
}
