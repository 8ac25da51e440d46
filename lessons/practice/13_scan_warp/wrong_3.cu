// Threads past the end leave; the mask still names them.
extern "C" __global__ void scan32(int *y, const int *x,
                                  int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  if (i >= n) return;
  int v = x[i];
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    int left = __shfl_up_sync(~0u, v, d);
    if (lane >= d) v += left;
  }
  y[i] = v;
}
