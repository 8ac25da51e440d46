// Reverse the first n elements of a block's share. Threads
// without one have left before the barrier.
extern "C" __global__
void reverse(int *out, const int *in, int n)
{
  __shared__ int s[256];
  int id = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int mirror = n - 1 - id;
  if (id >= n)
    return;
  s[id] = in[first + id];
  __syncthreads();
  out[first + id] = s[mirror];
}
