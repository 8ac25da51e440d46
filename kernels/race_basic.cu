// All threads store into one cell of shared memory, and
// nothing orders them. CELL is volatile in the lecture.
#ifdef PLAIN
#define CELL int
#else
#define CELL volatile int
#endif

extern "C" __global__
void Basic(int *last)
{
  __shared__ CELL i;
  i = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0)
    *last = i;
}
