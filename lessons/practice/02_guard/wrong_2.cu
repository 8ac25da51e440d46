// Threads without an element make the last one again.
extern "C" __global__ void add(float *z, const float *x,
                               const float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = i < n ? i : n - 1;
  z[mine] = x[mine] + y[mine];
}
