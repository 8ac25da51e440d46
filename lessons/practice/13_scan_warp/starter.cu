// y[i]: the sum of x from the start of its run of 32 to i.
extern "C" __global__ void scan32(int *y, const int *x,
                                  int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? x[i] : 0;
  // TODO: add what the lanes to the left have.
  if (i < n) y[i] = v;
}
