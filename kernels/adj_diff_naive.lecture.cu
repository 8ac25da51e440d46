// Difference of neighbors. Almost every element is
// loaded twice: by its own thread and by the next one.
extern "C" __global__
void adj_diff_naive(int *result, int *input, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0) {
    int x_i = input[i];
    int x_i_minus_one = input[i - 1];
    result[i] = x_i - x_i_minus_one;
  }
}
