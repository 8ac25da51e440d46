// No shared memory: word k of the warp's 96 came to lane
// k % 32 with load k / 32. Each lane fetches its three.
#define BLOCK 128

extern "C" __global__ void split(float *x, float *y,
                                 float *z, const float *p,
                                 int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  int lane = threadIdx.x % 32;
  int at = 3 * (i - lane) + lane;
  float load0 = at < 3 * n ? p[at] : 0;
  float load1 = at + 32 < 3 * n ? p[at + 32] : 0;
  float load2 = at + 64 < 3 * n ? p[at + 64] : 0;
  float point[3];
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    int k = 3 * lane + c;
    float a = __shfl_sync(0xffffffff, load0, k % 32);
    float b = __shfl_sync(0xffffffff, load1, k % 32);
    float d = __shfl_sync(0xffffffff, load2, k % 32);
    point[c] = k < 32 ? a : k < 64 ? b : d;
  }
  if (i < n) {
    x[i] = point[0];
    y[i] = point[1];
    z[i] = point[2];
  }
}
