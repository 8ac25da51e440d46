// Four fetches: between texels the texture gives their mean. One
// has four of the nine, two have two, and one is left over.
extern "C" __global__ void blur(float *out,
                                cudaTextureObject_t img,
                                int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  if (x >= w || y >= h) return;
  float four = tex2D<float>(img, x, y);
  float right = tex2D<float>(img, x + 1.5f, y);
  float below = tex2D<float>(img, x, y + 1.5f);
  float last = tex2D<float>(img, x + 1.5f, y + 1.5f);
  float sum = 4 * four + 2 * right + 2 * below + last;
  out[y * w + x] = sum / 9;
}
