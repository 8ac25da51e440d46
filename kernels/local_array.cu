// Each thread has an array of eight words and takes one of
// them. Which one is known when the kernel runs.
extern "C" __global__
void local_array(float *out, float *in, int *which)
{
  float v[8];
  int t = threadIdx.x;
  #pragma unroll 1
  for (int j = 0; j < 8; j++)
    v[j] = in[j * 32 + t];
  int k = which[t];
  float value = v[k];
  out[t] = value;
}
