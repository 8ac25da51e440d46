// How many blocks of 32 threads does it take for n
// elements? Each thread answers for another n.
extern "C" __global__
void grid_size(int *grid, int *length)
{
  int n = length[threadIdx.x];
  int blocks = n / 32;
  grid[threadIdx.x] = blocks;
}
