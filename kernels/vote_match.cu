// Questions to a whole warp: every lane brings a truth
// value and a key, and all lanes get the answer.
extern "C" __global__
void vote_match(int *any, int *all, unsigned *ballot,
                unsigned *inside, unsigned *match,
                int period, int k, int keys)
{
  int laneId = threadIdx.x & 31;
  unsigned warp = 0xffffffff;
  bool foo = laneId % period < k;
  any[laneId] = __any_sync(warp, foo);
  all[laneId] = __all_sync(warp, foo);
  ballot[laneId] = __ballot_sync(warp, foo);
  unsigned here = 0;
  if (foo)
    here = __activemask();
  inside[laneId] = here;
  int key = laneId % keys;
  match[laneId] = __match_any_sync(warp, key);
}
