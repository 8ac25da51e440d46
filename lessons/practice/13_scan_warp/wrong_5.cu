// Right, but the values go through shared memory.
extern "C" __global__ void scan32(int *y, const int *x,
                                  int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int v = i < n ? x[i] : 0;
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = v;
#pragma unroll 1
  for (int d = 1; d < 32; d *= 2) {
    __syncwarp();
    int left = lane >= d ? s[t - d] : 0;
    __syncwarp();
    v += left;
    s[t] = v;
  }
  if (i < n) y[i] = v;
}
