// Column by column, one coordinate for each fetch.
extern "C" __global__ void blur(float *out,
                                cudaTextureObject_t img,
                                int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 9; ++k) {
    float u = x + k / 3 - 0.5f;
    float v = y + k % 3 - 0.5f;
    sum += tex2D<float>(img, u, v);
  }
  out[y * w + x] = sum / 9;
}
