// Every thread works for a while: a kernel of many blocks
// in one stream, a small one that hurries in another.
extern "C" __global__
void work(float *x, int rounds)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];
  #pragma unroll 1
  for (int k = 0; k < rounds; k++)
    v = v * 0.5f + 1.0f;
  x[i] = v;
}
