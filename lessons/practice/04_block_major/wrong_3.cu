// Neighbors go to different blocks, not to different lanes.
extern "C" __global__ void square(float *y, const float *x,
                                  int n) {
  int all = gridDim.x * blockDim.x;
  int first = threadIdx.x * gridDim.x + blockIdx.x;
#pragma unroll 1
  for (int i = first; i < n; i += all)
    y[i] = x[i] * x[i];
}
