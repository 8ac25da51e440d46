// Difference of neighbors. A block loads its elements
// once and takes the neighbors from shared memory.
template <int BLOCK_SIZE> __global__
void adj_diff(int *result, int *input, int n)
{
  __shared__ int s_data[BLOCK_SIZE];
  int tx = threadIdx.x;
  int i = blockIdx.x * blockDim.x + tx;
  if (i < n)
    s_data[tx] = input[i];

  if (i < n) {
    if (tx > 0)
      result[i] = s_data[tx] - s_data[tx - 1];
    else if (i > 0)
      result[i] = s_data[tx] - input[i - 1];
  }
}

template __global__ void adj_diff<32>(int *, int *, int);
template __global__ void adj_diff<64>(int *, int *, int);
template __global__ void adj_diff<128>(int *, int *, int);
template __global__ void adj_diff<256>(int *, int *, int);
template __global__ void adj_diff<512>(int *, int *, int);
