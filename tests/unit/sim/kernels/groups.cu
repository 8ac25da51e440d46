// groups.cu: cooperative groups as the compiler makes them, for the emulator's tests.
//   nvcc -arch=sm_90 -std=c++17 -ptx groups.cu
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void groups(int *out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  int lane = tile.thread_rank(), sum = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
  int top = cg::reduce(tile, (int)(threadIdx.x * 7 % 13), cg::greater<int>());
  int odd = 0;
  if (threadIdx.x % 3 == 1) {
    auto active = cg::coalesced_threads();
    odd = active.size() * 100 + active.thread_rank();
    if (active.thread_rank() == 0) atomicAdd(&out[1023], (int)active.size());
    odd += active.shfl((int)threadIdx.x, 0) * 10000;
  }
  auto label = cg::labeled_partition(cg::coalesced_threads(), (int)threadIdx.x % 5);
  out[threadIdx.x * 4] = sum + lane;
  out[threadIdx.x * 4 + 1] = top;
  out[threadIdx.x * 4 + 2] = odd;
  out[threadIdx.x * 4 + 3] = label.size() * 100 + label.thread_rank();
}

extern "C" __global__ void grid_sum(int *out, int *part) {
  auto grid = cg::this_grid();
  int at = grid.thread_rank();
  part[at] = at * at;
  grid.sync();
  int next = (at + 97) % grid.size();
  int v = part[next];
  grid.sync();
  part[at] = v + 1;
  grid.sync();
  out[at] = part[(at + 200) % grid.size()];
}

// Knows its place in the grid, but waits for nobody.
extern "C" __global__ void grid_rank(int *out) { out[cg::this_grid().thread_rank()] = (int)cg::this_grid().size(); }
