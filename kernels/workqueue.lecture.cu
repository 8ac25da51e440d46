// A queue of work in memory. Who is free draws a ticket,
// and does the item with that number.
__device__ int do_work(int w)
{
  int s = 0;
  #pragma unroll 1
  for (int k = 1; k <= w; k++)
    s += k;
  return s;
}

extern "C" __global__
void workq(int *work_q, unsigned int *q_counter,
           int *output, int queue_max)
{
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  // grab work from the queue
  int q_index = atomicInc(q_counter, queue_max);
  int result = do_work(work_q[q_index]);
  output[i] = result;
}



