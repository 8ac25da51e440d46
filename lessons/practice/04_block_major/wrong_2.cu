// Runs of four for each thread: the lanes are apart.
extern "C" __global__ void square(float *y, const float *x,
                                  int n) {
  int all = gridDim.x * blockDim.x;
  int me = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int run = 4 * me; run < n; run += 4 * all)
#pragma unroll 1
    for (int i = run; i < run + 4 && i < n; ++i)
      y[i] = x[i] * x[i];
}
