// Rows of 64 floats in the tile of A: its stores share banks.
extern "C" __global__ void matmul(float *C, const float *A,
                                  const float *B, int m,
                                  int k, int n) {
  __shared__ float4 a[16][16], b[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, t = 16 * ty + tx;
  int row = 64 * blockIdx.y, col = 64 * blockIdx.x;
  // This thread brings row ar of A, four floats from aq on,
  // and row bq of B, four floats from bc on.
  int ar = t / 4, aq = 4 * (t % 4);
  int bq = t / 16, bc = 4 * (t % 16);
  float c[4][4] = {};
#pragma unroll 1
  for (int p = 0; p < k; p += 16) {
    float4 v = make_float4(0, 0, 0, 0);
    if (row + ar < m && p + aq < k)
      v = *(const float4 *)&A[(row + ar) * k + p + aq];
    float *turned = (float *)a[aq] + ar;
    turned[0] = v.x;
    turned[64] = v.y;
    turned[128] = v.z;
    turned[192] = v.w;
    v = make_float4(0, 0, 0, 0);
    if (p + bq < k && col + bc < n)
      v = *(const float4 *)&B[(p + bq) * n + col + bc];
    b[bq][t % 16] = v;
    __syncthreads();
#pragma unroll
    for (int q = 0; q < 16; ++q) {
      float4 f = a[q][ty], g = b[q][tx];
      float fs[4] = {f.x, f.y, f.z, f.w};
      float gs[4] = {g.x, g.y, g.z, g.w};
#pragma unroll
      for (int y = 0; y < 4; ++y)
#pragma unroll
        for (int x = 0; x < 4; ++x)
          c[y][x] += fs[y] * gs[x];
    }
    __syncthreads();
  }
#pragma unroll
  for (int y = 0; y < 4; ++y) {
    int r = row + 4 * ty + y, s = col + 4 * tx;
    if (r < m && s < n)
      *(float4 *)&C[r * n + s] = make_float4(
          c[y][0], c[y][1], c[y][2], c[y][3]);
  }
}
