extern "C" __global__ void axpy(float *y, const float *x,
                                float a, int n) {
  int all = gridDim.x * blockDim.x;
  int first = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int i = first; i < n; i += all)
    y[i] = y[i] + a * x[i];
}
