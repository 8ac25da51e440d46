// Each warp stages its own 96 floats: no block barrier.
#define BLOCK 128

extern "C" __global__ void split(float *x, float *y,
                                 float *z, const float *p,
                                 int n) {
  __shared__ float stage[3 * BLOCK];
  int t = threadIdx.x;
  int lane = t % 32;
  int mine = 3 * (t - lane);
  int start = blockIdx.x * (3 * BLOCK) + mine;
#pragma unroll 1
  for (int k = lane; k < 96; k += 32)
    if (start + k < 3 * n)
      stage[mine + k] = p[start + k];
  __syncwarp();
  int i = blockIdx.x * BLOCK + t;
  if (i < n) {
    x[i] = stage[3 * t];
    y[i] = stage[3 * t + 1];
    z[i] = stage[3 * t + 2];
  }
}
