// Who comes to which element, and how often? The stride
// is one block, however many blocks there are.
extern "C" __global__
void visit(int *count, int steps)
{
  int step = blockIdx.x * blockDim.x + threadIdx.x;
  #pragma unroll 1
  while (step < steps) {
    atomicAdd(&count[step], 1);
    step += blockDim.x;
  }
}
