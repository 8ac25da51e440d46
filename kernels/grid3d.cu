// A thread for each element of a volume: its place, and
// its rank, a number that no other thread has.
extern "C" __global__
void grid3D(int *a, float *b,
            int nx, int ny, int nz, int id)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz)
    return;
  int block_size = blockDim.x * blockDim.y * blockDim.z;
  int thread_rank = (threadIdx.z * blockDim.y
    + threadIdx.y) * blockDim.x + threadIdx.x;
  int block_rank = (blockIdx.z * gridDim.y
    + blockIdx.y) * gridDim.x + blockIdx.x;
  int rank = block_rank * block_size + thread_rank;
  int i = (z * ny + y) * nx + x;
  a[i] = rank;
  b[i] = sqrtf((float)rank);
  if (rank == id)
    printf("%d is a[%d][%d][%d], thread %d of block %d\n",
           rank, z, y, x, thread_rank, block_rank);
}
