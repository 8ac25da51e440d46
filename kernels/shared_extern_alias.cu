// Two arrays in shared memory whose size the launch says:
// the second begins where the first one ends.
extern "C" __global__
void two_extern(float *x, int *u)
{
  extern __shared__ float sx[];
  unsigned short *su = (unsigned short *)&sx[blockDim.x];
  int id = threadIdx.x;
  sx[id] = 1.0f + id;
  __syncthreads();
  su[id] = id;
  __syncthreads();
  x[id] = sx[id];
  u[id] = su[id];
}
