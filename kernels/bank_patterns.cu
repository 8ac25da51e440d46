// Ways for one warp to read 32 words of shared memory.
// Words w and w + 32 lie in the same bank.
extern "C" __global__
void bank_patterns(int *out, int pattern)
{
  __shared__ int words[32 * 32];
  int lane = threadIdx.x;
  #pragma unroll 1
  for (int k = lane; k < 32 * 32; k += 32)
    words[k] = k;
  __syncthreads();
  int w = 0;
  switch (pattern) {
  case 1:   // (a) in order: a bank for each lane
    w = lane;
    break;
  case 2:   // (b) permuted: still a bank for each
    w = lane ^ 5;
    break;
  case 3:   // (c) two lanes share a word
    w = lane / 2;
    break;
  case 4:   // (d) two words in a bank
    w = lane * 2;
    break;
  case 5:   // (e) four lanes, three words in a bank
    w = lane % 8 + 32 * min(lane / 8, 2);
    break;
  case 6:   // down a column of 32 x 32
    w = lane * 32;
    break;
  case 7:   // the column again, stored with a swizzle
    w = lane * 32 + (lane ^ 3);
    break;
  }
  out[lane] = words[w];
}
