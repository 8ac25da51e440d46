// 32 words a row are enough: row r begins at word r, and goes round.
__device__ int place(int row, int column) { return row * 32 + ((row + column) & 31); }

__global__ void transpose(float *out, const float *in, int rows, int cols) {
  __shared__ float tile[32 * 32];
  int left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int row = threadIdx.y; row < 32; row += 8) {
    int x = left + threadIdx.x, y = top + row;
    if (x < cols && y < rows) tile[place(row, threadIdx.x)] = in[y * cols + x];
  }
  __syncthreads();
  for (int row = threadIdx.y; row < 32; row += 8) {
    int x = top + threadIdx.x, y = left + row;
    if (x < rows && y < cols) out[y * rows + x] = tile[place(threadIdx.x, row)];
  }
}
