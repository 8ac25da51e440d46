// Each thread adds its own sum to out, which nobody has set.

extern "C" __global__ void sum(float *out, float *part,
                               unsigned *done,
                               const float *x, int n) {
  int step = gridDim.x * blockDim.x;
  float v = 0;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += step)
    v += x[i];
  atomicAdd(out, v);
}
