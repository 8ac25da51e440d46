// Sine by its Taylor series, for every step of a range:
// a grid of any size strides through all the steps.
__device__ float sinsum(float x, int terms)
{
  float x2 = x * x;
  float term = x;
  float sum = x;
  #pragma unroll 1
  for (int n = 1; n < terms; n++) {
    term *= -x2 / (2 * n * (2 * n + 1));
    sum += term;
  }
  return sum;
}

extern "C" __global__
void gpu_sin(float *sums, int steps, int terms,
             float step_size)
{
  int step = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = blockDim.x;
  #pragma unroll 1
  while (step < steps) {
    float x = step_size * step;
    sums[step] = sinsum(x, terms);
    step += stride;
  }
}
