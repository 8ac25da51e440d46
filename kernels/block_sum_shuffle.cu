// Sum of a block: each warp shuffles its numbers together,
// then warp 0 the sums of the warps. One barrier in all.
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
    value = lane < blockDim.x / 32 ? part[lane] : 0;
    #pragma unroll 1
    for (int i = 16; i >= 1; i /= 2)
      value += __shfl_down_sync(0xffffffff, value, i);
    if (lane == 0)
      out[blockIdx.x] = value;
  }
}
