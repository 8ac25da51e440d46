// p holds n points, x y z x y z ... Write three arrays.
// Blocks have 128 threads. Each load below touches 12
// sectors, and the next one the same 12 again.
// TODO: load p side by side, through shared memory.
#define BLOCK 128

extern "C" __global__ void split(float *x, float *y,
                                 float *z, const float *p,
                                 int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) {
    x[i] = p[3 * i];
    y[i] = p[3 * i + 1];
    z[i] = p[3 * i + 2];
  }
}
