// Reverse the first n elements of a block's share. Only
// threads that have an element come to the barrier.
extern "C" __global__
void reverse(int *out, const int *in, int n)
{
  __shared__ int s[256];
  int id = threadIdx.x;
  int first = blockIdx.x * blockDim.x;
  int mirror = n - 1 - id;
  if (id < n) {
    s[id] = in[first + id];
    __syncthreads();
  }
  out[first + id] = mirror >= 0 ? s[mirror] : 0;
}
