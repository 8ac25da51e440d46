// Butterflies: all lanes have the sum; thread 0 adds the 8.
extern "C" __global__ void sum(float *out, const float *x,
                               int n) {
  __shared__ float of_warp[8];
  int t = threadIdx.x;
  float v = 0;
#pragma unroll 1
  for (int i = t; i < n; i += 256)
    v += x[i];
#pragma unroll
  for (int d = 1; d < 32; d *= 2)
    v += __shfl_xor_sync(0xffffffff, v, d);
  of_warp[t / 32] = v;
  __syncthreads();
  if (t != 0)
    return;
  float even = 0, odd = 0;
#pragma unroll
  for (int w = 0; w < 8; w += 2) {
    even += of_warp[w];
    odd += of_warp[w + 1];
  }
  out[0] = even + odd;
}
