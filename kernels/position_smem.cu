// Copy positions kept as an array of structures. A block
// loads their floats side by side, and each thread takes
// its three from shared memory.
extern "C" __global__
void position_smem_read(float *out, float *data, int n)
{
  extern __shared__ float s[];
  int t = threadIdx.x;
  int T = blockDim.x;
  int first = 3 * T * blockIdx.x;
  int idx = T * blockIdx.x + t;
  #pragma unroll 1
  for (int c = 0; c < 3; c++)
    if (first + c * T + t < 3 * n)
      s[c * T + t] = data[first + c * T + t];
  __syncthreads();
  if (idx < n) {
    float x = s[3 * t];
    float y = s[3 * t + 1];
    float z = s[3 * t + 2];
    out[3 * idx] = x;
    out[3 * idx + 1] = y;
    out[3 * idx + 2] = z;
  }
}

// The other way round: each thread leaves its three in
// shared memory, and the block stores them side by side.
extern "C" __global__
void position_smem_store(float *out, float *data, int n)
{
  extern __shared__ float s[];
  int t = threadIdx.x;
  int T = blockDim.x;
  int first = 3 * T * blockIdx.x;
  int idx = T * blockIdx.x + t;
  if (idx < n) {
    float x = data[3 * idx];
    float y = data[3 * idx + 1];
    float z = data[3 * idx + 2];
    s[3 * t] = x;
    s[3 * t + 1] = y;
    s[3 * t + 2] = z;
  }
  __syncthreads();
  #pragma unroll 1
  for (int c = 0; c < 3; c++)
    if (first + c * T + t < 3 * n)
      out[first + c * T + t] = s[c * T + t];
}
