// A warp stores words of shared memory s apart, and reads
// them in the other direction, for one stride after another.
extern "C" __global__
void stride_walk(int *out, int first, int last)
{
  __shared__ int words[32 * 32];
  int lane = threadIdx.x;
  int value = lane;
  #pragma unroll 1
  for (int s = first; s <= last; s++) {
    words[s * lane] = value;
    __syncwarp();
    value = 2 * words[s * (31 - lane)] + s;
    __syncwarp();
  }
  out[lane] = value;
}
