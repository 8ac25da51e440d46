// Sum of a block by shuffles, but warp 0 reads a word for
// each lane, however few warps there are.
extern "C" __global__
void block_sum(int *out, const int *in)
{
  __shared__ int part[32];
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  #pragma unroll 1
  for (int i = 16; i >= 1; i /= 2)
    value += __shfl_down_sync(0xffffffff, value, i);
  if (lane == 0)
    part[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = part[lane];
    #pragma unroll 1
    for (int i = 16; i >= 1; i /= 2)
      value += __shfl_down_sync(0xffffffff, value, i);
    if (lane == 0)
      out[blockIdx.x] = value;
  }
}
