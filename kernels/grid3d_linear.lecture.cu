// A row of blocks strides through a volume: place from
// number, by division and remainder.
extern "C" __global__
void grid3D_linear(int *a, float *b,
                   int nx, int ny, int nz, int id)
{
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  int pass = 0;
  #pragma unroll 1
  while (tid < nx * ny * nz) {
    int x = tid % nx;
    int y = tid / nx % ny;
    int z = tid / (nx * ny);
    int i = (z * ny + y) * nx + x;
    a[i] = tid;
    b[i] = sqrtf((float)tid);
    if (tid == id)
      printf("%d is a[%d][%d][%d], thread %d of block %d, "
             "pass %d\n", tid, z, y, x,
             threadIdx.x, blockIdx.x, pass);
    tid += blockDim.x;
    pass++;
  }
}
