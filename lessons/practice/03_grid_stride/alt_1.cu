// From block to block of the data: the guard is inside.
extern "C" __global__ void axpy(float *y, const float *x,
                                float a, int n) {
  int parts = (n + blockDim.x - 1) / blockDim.x;
#pragma unroll 1
  for (int part = blockIdx.x; part < parts;
       part += gridDim.x) {
    int i = part * blockDim.x + threadIdx.x;
    if (i < n)
      y[i] = y[i] + a * x[i];
  }
}
