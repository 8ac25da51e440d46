// One chunk: each thread makes its elements one after the other.
extern "C" __global__ void work(float *d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int step = gridDim.x * blockDim.x;
#pragma unroll 1
  for (; i < 65536; i += step) d[i] = 2 * d[i] + 1;
}
