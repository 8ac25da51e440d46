// The lower half of each pair of runs hands its sum up.
extern "C" __global__ void scan32(int *y, const int *x,
                                  int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int v = i < n ? x[i] : 0;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    // The last lane of the d lanes before those with bit d.
    int end = (lane & ~(2 * d - 1)) + d - 1;
    int lower = __shfl_sync(~0u, v, end);
    if (lane & d) v += lower;
  }
  if (i < n) y[i] = v;
}
