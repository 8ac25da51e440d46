// The shuffle is inside the condition: d lanes do not come.
extern "C" __global__ void scan32(int *y, const int *x,
                                  int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int v = i < n ? x[i] : 0;
#pragma unroll 1
  for (int d = 1; d < 32; d *= 2) {
    if (lane >= d) {
      int left = __shfl_up_sync(~0u, v, d);
      v += left;
    }
  }
  if (i < n) y[i] = v;
}
