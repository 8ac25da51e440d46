// Two rows have the same shift: two lanes in each bank.
extern "C" __global__ void transpose(float *out,
                                     const float *in,
                                     int rows, int cols) {
  __shared__ float tile[32][32];
  int tx = threadIdx.x;
  int col = blockIdx.x * 32 + tx;
  int row = blockIdx.y * 32 + tx;
#pragma unroll 1
  for (int j = threadIdx.y; j < 32; j += 8) {
    int from = blockIdx.y * 32 + j;
    if (from < rows && col < cols)
      tile[j][tx ^ (j / 2)] = in[from * cols + col];
  }
  __syncthreads();
#pragma unroll 1
  for (int j = threadIdx.y; j < 32; j += 8) {
    int to = blockIdx.x * 32 + j;
    if (to < cols && row < rows)
      out[to * rows + row] = tile[tx][j ^ (tx / 2)];
  }
}
