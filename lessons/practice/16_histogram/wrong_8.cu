// Block 0 counts everything, the others leave.
extern "C" __global__ void hist(int *bins, const int *x,
                                int n) {
  __shared__ int own[64];
  int t = threadIdx.x;
  if (blockIdx.x > 0) return;
  if (t < 64) own[t] = 0;
  __syncthreads();
#pragma unroll 1
  for (int i = t; i < n; i += blockDim.x)
    atomicAdd(&own[x[i]], 1);
  __syncthreads();
  if (t < 64) bins[t] += own[t];
}
