// out[i] = table[key[i]]. The table of 32 words is in
// constant memory.
__constant__ float c_table[32] = {
   0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10,
  11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
  22, 23, 24, 25, 26, 27, 28, 29, 30, 31
};

extern "C" __global__
void look_constant(float *out, int *key, float *table)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int k = key[i];
  float value = c_table[k];
  out[i] = value;
}

// The table is brought to shared memory first.
extern "C" __global__
void look_shared(float *out, int *key, float *table)
{
  __shared__ float s_table[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int k = key[i];
  if (threadIdx.x < 32)
    s_table[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  float value = s_table[k];
  out[i] = value;
}

// The table stays in global memory.
extern "C" __global__
void look_global(float *out, int *key, float *table)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int k = key[i];
  float value = table[k];
  out[i] = value;
}
