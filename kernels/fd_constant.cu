// A derivative: 16 neighbors, each with a coefficient from
// constant memory.
__constant__ float coefficients[16] = {
  1, -2, 3, -4, 5, -6, 7, -8, 8, -7, 6, -5, 4, -3, 2, -1
};

// In step j all lanes want coefficient j.
extern "C" __global__
void deriv_step(float *deriv, float *data, int n)
{
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= n)
    return;
  float sum = 0.0f;
  #pragma unroll 1
  for (int j = 0; j < 16; j++) {
    float c = coefficients[j];
    sum += c * data[idx + j];
  }
  deriv[idx] = sum;
}

// Each lane begins with another coefficient.
extern "C" __global__
void deriv_lane(float *deriv, float *data, int n)
{
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= n)
    return;
  float sum = 0.0f;
  #pragma unroll 1
  for (int k = 0; k < 16; k++) {
    int j = (k + threadIdx.x) % 16;
    float c = coefficients[j];
    sum += c * data[idx + j];
  }
  deriv[idx] = sum;
}
