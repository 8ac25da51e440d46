#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// A block is cut into tiles of SIZE threads, and each tile
// adds up its numbers. A tile has a size, ranks, shuffles.
template <int SIZE> __device__
void sums_of_tiles(int *sum, int *rank, const int *in)
{
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<SIZE>(block);
  int id = block.thread_rank();
  int value = in[id];
  #pragma unroll 1
  for (int i = tile.size() / 2; i >= 1; i /= 2)
    value += tile.shfl_xor(value, i);
  rank[id] = tile.thread_rank();
  if (tile.thread_rank() == 0)
    sum[tile.meta_group_rank()] = value;
}

extern "C" __global__
void tiles_of_2(int *sum, int *rank, const int *in)
{
  sums_of_tiles<2>(sum, rank, in);
}

extern "C" __global__
void tiles_of_4(int *sum, int *rank, const int *in)
{
  sums_of_tiles<4>(sum, rank, in);
}

extern "C" __global__
void tiles_of_8(int *sum, int *rank, const int *in)
{
  sums_of_tiles<8>(sum, rank, in);
}

extern "C" __global__
void tiles_of_16(int *sum, int *rank, const int *in)
{
  sums_of_tiles<16>(sum, rank, in);
}

extern "C" __global__
void tiles_of_32(int *sum, int *rank, const int *in)
{
  sums_of_tiles<32>(sum, rank, in);
}
