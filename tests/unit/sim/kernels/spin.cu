// spin.cu: a lock between the lanes of a warp whose losers count their rounds. After a change: nvcc -ptx -arch=compute_75 -lineinfo spin.cu
extern "C" __global__ void spin_count(int *lock, int *count, int *rounds)
{
  int n = 0;
  while (atomicCAS(lock, 0, 1) != 0) n++;
  *(volatile int *)count += 1;
  __threadfence();
  atomicExch(lock, 0);
  rounds[threadIdx.x] = n;
}
