// Turned while filling: the column is written, and the way out is straight.
__global__ void transpose(float *out, const float *in, int rows, int cols) {
  __shared__ float turned[32][33];
  int lane = threadIdx.x;
  int x = blockIdx.x * 32 + lane;
  for (int row = threadIdx.y; row < 32; row += 8) {
    int y = blockIdx.y * 32 + row;
    if (y < rows && x < cols) turned[lane][row] = in[y * cols + x];
  }
  __syncthreads();
  int to = blockIdx.y * 32 + lane;
  for (int row = threadIdx.y; row < 32; row += 8) {
    int from = blockIdx.x * 32 + row;
    if (from < cols && to < rows) out[from * rows + to] = turned[row][lane];
  }
}
