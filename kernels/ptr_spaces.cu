// A pointer does not tell what it points to: here one into each space, and
// the shared value goes through two of them into the global variable. Being
// volatile, its read stays, even if nobody has written the value.
__device__ int in_global;
__constant__ int in_constant = 13;

extern "C" __global__
void foo(int *out)
{
  __shared__ int in_shared;
  int *global_ptr = &in_global;
  const int *constant_ptr = &in_constant;
  volatile int *shared_ptr = &in_shared;
#ifndef LECTURE
  in_shared = 42;
#endif
  *global_ptr = *shared_ptr;
  out[0] = *global_ptr;
  out[1] = *constant_ptr;
}
