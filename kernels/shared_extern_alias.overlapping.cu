// Two arrays in shared memory whose size the launch says,
// each with a declaration of its own.
extern "C" __global__
void two_extern(float *x, int *u)
{
  extern __shared__ float sx[];
  extern __shared__ unsigned short su[];
  int id = threadIdx.x;
  sx[id] = 1.0f + id;
  __syncthreads();
  su[id] = id;
  __syncthreads();
  x[id] = sx[id];
  u[id] = su[id];
}
