// The largest value: a warp finds its own by shuffles, and
// one of its lanes takes that to the word of all.
extern "C" __global__
void global_max(int *gl_max, int *values, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? values[i] : values[0];
  #pragma unroll 1
  for (int m = 16; m > 0; m /= 2)
    v = max(v, __shfl_xor_sync(0xffffffff, v, m));
  if (threadIdx.x % 32 == 0)
    atomicMax(gl_max, v);
}
