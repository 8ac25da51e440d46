// The first d lanes get their own value back, and add it.
extern "C" __global__ void scan32(int *y, const int *x,
                                  int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? x[i] : 0;
#pragma unroll
  for (int d = 1; d < 32; d *= 2)
    v += __shfl_up_sync(~0u, v, d);
  if (i < n) y[i] = v;
}
