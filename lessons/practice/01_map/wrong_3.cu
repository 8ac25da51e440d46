// Takes the number of blocks for the threads of a block.
extern "C" __global__ void scale(float *y,
                                 const float *x, float a) {
  int i = blockIdx.x * gridDim.x + threadIdx.x;
  y[i] = a * x[i];
}
