// Each thread has an array of eight words and takes one of
// them. Every index is a number once loops are unrolled.
extern "C" __global__
void local_array(float *out, float *in, int *which)
{
  float v[8];
  int t = threadIdx.x;
  #pragma unroll
  for (int j = 0; j < 8; j++)
    v[j] = in[j * 32 + t];
  int k = which[t];
  float value = v[0];
  #pragma unroll
  for (int j = 1; j < 8; j++)
    value = j == k ? v[j] : value;
  out[t] = value;
}
