// Loads and stores: each float passes through a register.
extern "C" __global__ void mirror(float *y, const float *x,
                                  int tiles) {
  __shared__ float tile[256];
  int t = threadIdx.x;
#pragma unroll 1
  for (int q = blockIdx.x; q < tiles; q += gridDim.x) {
    tile[t] = x[256 * q + t];
    __syncthreads();
    y[256 * q + t] = tile[t] + 2 * tile[255 - t];
    __syncthreads();
  }
}
