// Sorts every run of 32 elements, small ones first; the last
// run may be shorter. Blocks of 128 threads. This is right,
// but one lane of 32 works, and goes where the data send it.
// TODO: a sorting network over the lanes.
extern "C" __global__ void sort32(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  if (lane != 0) return;
  int end = min(n, i + 32);
#pragma unroll 1
  for (int j = i + 1; j < end; ++j) {
    int value = x[j], k = j;
#pragma unroll 1
    for (; k > i && x[k - 1] > value; --k) x[k] = x[k - 1];
    x[k] = value;
  }
}
