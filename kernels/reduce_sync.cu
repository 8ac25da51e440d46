// Each warp adds up its 32 numbers by one instruction, which
// gives the sum to all lanes.
extern "C" __global__
void reduce_sync(unsigned *sum, const unsigned *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = i < n ? x[i] : 0;
  unsigned all = __reduce_add_sync(0xffffffff, value);
  if (i < n && threadIdx.x % 32 == 0)
    sum[i / 32] = all;
}
