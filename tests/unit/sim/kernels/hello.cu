// hello.cu: a kernel that prints, and two blocks that write the same place, for the tests of the explorer.
//   nvcc -arch=sm_75 -ptx hello.cu
#include <cstdio>
extern "C" __global__ void hello(int *out) {
  int t = threadIdx.x;
  if (t % 16 == 3) printf("thread %d of block %d\n", t, blockIdx.x);
  out[t + 32 * blockIdx.x] = t;
  if (t == 0) printf("the end\n");
}
