// A queue of work in memory. Who is free draws a ticket,
// does the item with that number, and comes again.
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
  #pragma unroll 1
  while (true) {
    int q_index = atomicAdd(q_counter, 1);
    if (q_index >= queue_max)
      break;
    int result = do_work(work_q[q_index]);
    output[q_index] = result;
  }
}
