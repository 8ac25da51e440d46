// Square n numbers, several of them by each thread: the
// threads go through the array side by side.
extern "C" __global__
void share_out(float *y, float *x, int each, int n)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  #pragma unroll 1
  for (int k = 0; k < each; k++) {
    int i = k * gridDim.x * blockDim.x + t;
    if (i < n) {
      float value = x[i];
      y[i] = value * value;
    }
  }
}
