// Adds to bins[v] how often v, from 0 to 63, is in x.
// TODO: right, but every element is an atomic in global
// memory. Let each block count for itself first.
extern "C" __global__ void hist(int *bins, const int *x,
                                int n) {
  int t = threadIdx.x;
  int step = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += step)
    atomicAdd(&bins[x[i]], 1);
}
