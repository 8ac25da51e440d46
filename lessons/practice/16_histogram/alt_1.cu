// Two copies, one for each half of the block.
extern "C" __global__ void hist(int *bins, const int *x,
                                int n) {
  __shared__ int own[2][64];
  int t = threadIdx.x;
  int half = t / 128;
  if (t < 128) own[t / 64][t % 64] = 0;
  __syncthreads();
  int step = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += step)
    atomicAdd(&own[half][x[i]], 1);
  __syncthreads();
  if (t < 64) atomicAdd(&bins[t], own[0][t] + own[1][t]);
}
