// Leaves out what is beyond the rim, where the texture clamps.
extern "C" __global__ void blur(float *out,
                                cudaTextureObject_t img,
                                int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
#pragma unroll 1
  for (int v = max(y - 1, 0); v <= min(y + 1, h - 1); ++v) {
#pragma unroll 1
    for (int u = max(x - 1, 0); u <= min(x + 1, w - 1); ++u) {
      sum += tex2D<float>(img, u + 0.5f, v + 0.5f);
    }
  }
  out[y * w + x] = sum / 9;
}
