// Three arrays from one pool of shared memory, the longest
// type first. Each thread fills its cells, then reads those
// of the thread opposite.
extern "C" __global__
void shared_example(float *x, float *y, int m)
{
  extern __shared__ float sx[];
  unsigned short *su = (unsigned short *)&sx[blockDim.x];
  char *sc = (char *)&su[blockDim.x];
  int id = threadIdx.x;
  int i = blockIdx.x * blockDim.x + id;
  sx[id] = i < m ? 3.0f * x[id] : 0.0f;
  su[id] = id * id;
  sc[id] = id % 128;
  __syncthreads();
  int other = blockDim.x - 1 - id;
  if (i < m)
    y[i] = sx[other] + su[other] + sc[other];
}
