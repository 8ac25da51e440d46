// Makes an image twice as bright, with one guard for both
// rims: behind the end of a row the next one begins.
extern "C" __global__
void twice(float *p, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y * w + x < w * h) {
    int i = y * w + x;
    float old = p[i];
    p[i] = 2.0f * old;
  }
}
