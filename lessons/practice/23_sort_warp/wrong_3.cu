// Right, with a branch on the data in each of 32 turns.
extern "C" __global__ void sort32(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  __shared__ int s[128];
  int *run = s + threadIdx.x - lane;
  run[lane] = i < n ? x[i] : 0x7fffffff;
  __syncwarp();
#pragma unroll 1
  for (int turn = 0; turn < 32; ++turn) {
    if ((lane + turn) % 2 == 0 && lane < 31) {
      int a = run[lane], b = run[lane + 1];
      if (b < a) {
        run[lane] = b;
        run[lane + 1] = a;
      }
    }
    __syncwarp();
  }
  if (i < n) x[i] = run[lane];
}
