// out[x][y] = in[y][x]; in has rows x cols floats, row by row.
// Blocks of 32 x 8 threads, one for each tile of 32 x 32.
// It is right already, but a warp stores down a column.
// TODO: neighbors on both sides, and no bank conflicts.
__global__ void transpose(float *out, const float *in, int rows, int cols) {
  int x = blockIdx.x * 32 + threadIdx.x;
  for (int step = threadIdx.y; step < 32; step += blockDim.y) {
    int y = blockIdx.y * 32 + step;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
  }
}
