// Difference of neighbors. How much shared memory a block
// has is said at launch, the third of the four arguments.
extern "C" __global__
void adj_diff(int *result, int *input, int n)
{
  extern __shared__ int s_data[];
  int tx = threadIdx.x;
  int i = blockIdx.x * blockDim.x + tx;
  if (i < n)
    s_data[tx] = input[i];
  __syncthreads();
  if (i < n) {
    if (tx > 0)
      result[i] = s_data[tx] - s_data[tx - 1];
    else if (i > 0)
      result[i] = s_data[tx] - input[i - 1];
  }
}
