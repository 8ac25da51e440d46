// Every element moves one place to the right, inside of one
// array in shared memory.
extern "C" __global__
void shift(int *out, int *in)
{
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  int left = s[t > 0 ? t - 1 : 0];
  __syncthreads();
  s[t] = left;
  out[t] = s[t];
}
