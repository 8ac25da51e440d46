// out is the mean of the 3 x 3 texels around each one of img.
// Beyond the rim the nearest texel counts: the texture clamps.
// It also mixes neighbors: the middle of texel x is at
// x + 0.5. Blocks of 16 x 16 threads.
extern "C" __global__ void blur(float *out,
                                cudaTextureObject_t img,
                                int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  // TODO: fetch, add, store.
}
