// In place, with two barriers in a step: right, and 17 of them.
extern "C" __global__ void scan(int *y, int *sums,
                                const int *x, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  s[t] = i < n ? x[i] : 0;
  __syncthreads();
#pragma unroll 1
  for (int d = 1; d < 256; d *= 2) {
    int left = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  if (i < n) y[i] = s[t];
  if (t == 255) sums[blockIdx.x] = s[t];
}
