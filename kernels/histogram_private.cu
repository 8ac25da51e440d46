// Count the colors in a copy of the buckets for each block.
// At the end each block adds its copy to the buckets.
extern "C" __global__
void histogram(int *color, int *buckets, int n, int k)
{
  __shared__ int mine[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  #pragma unroll 1
  for (int b = threadIdx.x; b < k; b += blockDim.x)
    mine[b] = 0;
  __syncthreads();
  if (i < n)
    atomicAdd(&mine[color[i]], 1);
  __syncthreads();
  #pragma unroll 1
  for (int b = threadIdx.x; b < k; b += blockDim.x)
    atomicAdd(&buckets[b], mine[b]);
}
