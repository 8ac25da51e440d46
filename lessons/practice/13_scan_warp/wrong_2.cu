// One shuffle for each of 31 neighbors.
extern "C" __global__ void scan32(int *y, const int *x,
                                  int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int v = i < n ? x[i] : 0;
  int own = v;
#pragma unroll 1
  for (int d = 1; d < 32; ++d) {
    int left = __shfl_up_sync(~0u, own, d);
    if (lane >= d) v += left;
  }
  if (i < n) y[i] = v;
}
