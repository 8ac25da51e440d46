// __shared__ says where the pointer lies: one of it for the block, not one
// for each thread. What it points to is another matter. Being volatile, it
// is read even if nobody has written it.
extern "C" __global__
void foo(int *out, int *target)
{
  __shared__ int *volatile ptr;
#ifndef LECTURE
  if (threadIdx.x == 0)
    ptr = &target[blockIdx.x];
  __syncthreads();
#endif
  out[blockIdx.x * blockDim.x + threadIdx.x] = *ptr;
}
