// One fetch gives four floats. What lies in memory are four
// small integers: the fetch makes fractions of them.
extern "C" __global__
void texture_format(float4 *out,
                    cudaTextureObject_t pixels, int count)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    float4 value = tex1D<float4>(pixels, i + 0.5f);
    out[i] = value;
  }
}
