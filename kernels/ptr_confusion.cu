// Lanes with an odd input take the address of a global variable, the others
// that of a shared one. One store through the pointer goes to both.
__device__ int in_global;

extern "C" __global__
void foo(int *out, int *input)
{
  __shared__ int in_shared;
  int *ptr = &in_shared;
  if (input[threadIdx.x] % 2 != 0)
    ptr = &in_global;
  *ptr = 7;
  __syncwarp();
  out[threadIdx.x] = __isShared(ptr) + 10 * *ptr;
}
