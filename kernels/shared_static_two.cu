// Two arrays in shared memory, both of a size known to the
// compiler. It finds a place for each.
extern "C" __global__
void shared_static_two(float *x, int *u)
{
  __shared__ float sx[256];
  __shared__ unsigned short su[256];
  int id = threadIdx.x;
  int i = blockIdx.x * blockDim.x + id;
  int other = blockDim.x - 1 - id;
  sx[id] = 0.5f * i;
  su[id] = i;
  __syncthreads();
  x[i] = sx[other];
  u[i] = su[other];
}
