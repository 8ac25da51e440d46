// Read shared memory with a stride of s words. The array
// has as many words as the lecture's block has threads.
extern "C" __global__
void shared_stride(float *out, int s, int baseIndex)
{
  __shared__ float shared[256];
  int id = threadIdx.x;
  #pragma unroll 1
  for (int k = id; k < 256; k += 32)
    shared[k] = k;
  __syncthreads();
  float foo = shared[baseIndex + s * id];
  out[id] = foo;
}
