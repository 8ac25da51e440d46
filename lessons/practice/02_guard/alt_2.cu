// A loop that runs once or not at all, and suits any grid.
extern "C" __global__ void add(float *z, const float *x,
                               const float *y, int n) {
  int all = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += all)
    z[i] = x[i] + y[i];
}
