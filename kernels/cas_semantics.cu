// Compare and swap: look at *p, put newval there if it is
// oldval, and tell what was there. A loop around it makes
// any other atomic: who was too late tries once more.
__device__ int compare_and_swap(int *p, int oldval,
                                int newval)
{
#ifdef BODY
  int old_reg_val = *p;
  if (old_reg_val == oldval)
    *p = newval;
  return old_reg_val;
#else
  return atomicCAS(p, oldval, newval);
#endif
}

extern "C" __global__
void cas_add(int *p, int *tries)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int was, old = 0, t = 0;
  do {
    was = old;
    old = compare_and_swap(p, was, was + 1);
    t = t + 1;
  } while (old != was);
  tries[i] = t;
}

extern "C" __global__
void cas_max(int *p, int *tries)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int was, old = 0, t = 0;
  do {
    was = old;
    old = compare_and_swap(p, was, max(was, i));
    t = t + 1;
  } while (old != was);
  tries[i] = t;
}

extern "C" __global__
void cas_float(int *p, int *tries)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int was, old = 0, t = 0;
  do {
    was = old;
    float sum = __int_as_float(was) + 0.5f;
    old = compare_and_swap(p, was, __float_as_int(sum));
    t = t + 1;
  } while (old != was);
  tries[i] = t;
}
