// The wrong way round: the thread is multiplied.
extern "C" __global__ void scale(float *y,
                                 const float *x, float a) {
  int i = threadIdx.x * blockDim.x + blockIdx.x;
  y[i] = a * x[i];
}
