// y[i] = x[i] * x[i]. Each thread has a run of neighbors,
// as a core of a CPU would. Right, and slow.
// TODO: the same with the fewest sectors.
extern "C" __global__ void square(float *y, const float *x,
                                  int n) {
  int all = gridDim.x * blockDim.x;
  int share = (n + all - 1) / all;
  int me = blockIdx.x * blockDim.x + threadIdx.x;
  int first = me * share;
  int end = first + share < n ? first + share : n;
#pragma unroll 1
  for (int i = first; i < end; ++i)
    y[i] = x[i] * x[i];
}
