// From the far end: who makes which element is free.
extern "C" __global__ void scale(float *y,
                                 const float *x, float a) {
  int rest = (gridDim.x - blockIdx.x) * blockDim.x;
  int i = rest - 1 - threadIdx.x;
  y[i] = a * x[i];
}
