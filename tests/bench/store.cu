extern "C" __global__ void store(unsigned *out) { out[blockIdx.x * 32 + threadIdx.x] = threadIdx.x; }
