extern "C" __global__ void scale(float *y,
                                 const float *x, float a) {
  int before = blockIdx.x * blockDim.x;
  int i = before + threadIdx.x;
  y[i] = a * x[i];
}
