// Tiles of 256 floats. In each of them
//   y[t] = x[t] + 2 x[255 - t].
// Block b makes the tiles b, b + gridDim.x, ... with 256
// threads. TODO: two buffers. While one tile is computed, the
// next one is copied by __pipeline_memcpy_async.
#include <cuda_pipeline.h>

extern "C" __global__ void mirror(float *y, const float *x,
                                  int tiles) {
  __shared__ float tile[2][256];
  int t = threadIdx.x;
  tile[0][t] = 0;
}
