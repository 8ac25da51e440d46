// Which warp and which lane does a thread of a
// two-dimensional block belong to?
extern "C" __global__
void warp_map_40x2(int *warp, int *lane)
{
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int rank = ty * blockDim.x + tx;
  warp[rank] = rank / 32;
  lane[rank] = threadIdx.x % 32;
}
