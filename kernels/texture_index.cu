// A texture outside of its ends and between its texels:
// thread i fetches at first + i / steps, in texels.
extern "C" __global__ void texture_index(float *out,
    cudaTextureObject_t table, float first, float step,
    float scale, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    float x = first + i * step;
    // scale is 1, or 1 / N for normalized coordinates
    float value = tex1D<float>(table, x * scale);
    out[i] = value;
  }
}
