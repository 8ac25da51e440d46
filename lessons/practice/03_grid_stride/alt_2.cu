// Two elements a turn: four loads are under way together.
extern "C" __global__ void axpy(float *y, const float *x,
                                float a, int n) {
  int all = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (; i < n - all; i += 2 * all) {
    int j = i + all;
    float x0 = x[i], x1 = x[j];
    float y0 = y[i], y1 = y[j];
    y[i] = y0 + a * x0;
    y[j] = y1 + a * x1;
  }
  if (i < n)
    y[i] = y[i] + a * x[i];
}
