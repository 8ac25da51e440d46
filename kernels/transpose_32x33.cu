// Transpose a matrix by way of a tile with one column to
// spare: a column now walks across all banks.
template <typename T> __global__
void transpose(T *out, T *in, int n)
{
  __shared__ T tile[32][33];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int col = blockIdx.x * 32 + tx;
  int row = blockIdx.y * 32 + ty;
  tile[ty][tx] = in[row * n + col];
  __syncthreads();
  col = blockIdx.y * 32 + tx;
  row = blockIdx.x * 32 + ty;
  out[row * n + col] = tile[tx][ty];
}

template __global__
void transpose<float>(float *, float *, int);
template __global__
void transpose<double>(double *, double *, int);
