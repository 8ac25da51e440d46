// A run of neighbors for each thread: right, and slow.
extern "C" __global__ void axpy(float *y, const float *x,
                                float a, int n) {
  int all = gridDim.x * blockDim.x;
  int share = (n + all - 1) / all;
  int me = blockIdx.x * blockDim.x + threadIdx.x;
  int first = me * share;
#pragma unroll 1
  for (int i = first; i < first + share && i < n; ++i)
    y[i] = y[i] + a * x[i];
}
