// Twice of everything, four elements in each thread, the
// four loads first.
extern "C" __global__
void scale(float *out, const float *in, int n)
{
  int all = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[i];
  float b = in[i + all];
  float c = in[i + 2 * all];
  float d = in[i + 3 * all];
  out[i] = 2.0f * a;
  out[i + all] = 2.0f * b;
  out[i + 2 * all] = 2.0f * c;
  out[i + 3 * all] = 2.0f * d;
}
