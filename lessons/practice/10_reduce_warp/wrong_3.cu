// Eight lanes come to the shuffle, the mask names all 32.
extern "C" __global__ void sum(float *out, const float *x,
                               int n) {
  __shared__ float of_warp[8];
  int t = threadIdx.x;
  float v = 0;
#pragma unroll 1
  for (int i = t; i < n; i += 256)
    v += x[i];
#pragma unroll
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(0xffffffff, v, d);
  if (t % 32 == 0)
    of_warp[t / 32] = v;
  __syncthreads();
  if (t < 8) {
    v = of_warp[t];
#pragma unroll
    for (int d = 4; d > 0; d /= 2)
      v += __shfl_down_sync(0xffffffff, v, d);
    if (t == 0)
      out[0] = v;
  }
}
