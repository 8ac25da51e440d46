// Who comes to which element, and how often? The stride
// is the book's: threads of a block, squared.
extern "C" __global__
void visit(int *count, int steps)
{
  int step = blockIdx.x * blockDim.x + threadIdx.x;
  #pragma unroll 1
  while (step < steps) {
    atomicAdd(&count[step], 1);
    step += blockDim.x * blockDim.x;
  }
}
