// The multiples of 3 move together, but each lane counts
// its own vote, too.
extern "C" __global__
void warp_rank(int *out, const int *in)
{
  int lane = threadIdx.x & 31;
  int value = in[lane];
  bool wants = value % 3 == 0;
  unsigned who = __ballot_sync(0xffffffff, wants);
  int place = __popc(who & ((2u << lane) - 1));
  if (wants)
    out[place] = value;
}
