// Count the colors. Lanes of one color find each other,
// and the first of them adds for all.
extern "C" __global__
void histogram(int *color, int *buckets, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  unsigned here = __ballot_sync(0xffffffff, i < n);
  if (i < n) {
    int c = color[i];
    unsigned same = __match_any_sync(here, c);
    int first = __ffs(same) - 1;
    if (lane == first)
      atomicAdd(&buckets[c], __popc(same));
  }
}
