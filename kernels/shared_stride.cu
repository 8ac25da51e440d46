// Read shared memory with a stride of s words. The array
// is large enough for s = 33 from any of 32 bases.
extern "C" __global__
void shared_stride(float *out, int s, int baseIndex)
{
  __shared__ float shared[34 * 32];
  int id = threadIdx.x;
  #pragma unroll 1
  for (int k = id; k < 34 * 32; k += 32)
    shared[k] = k;
  __syncthreads();
  float foo = shared[baseIndex + s * id];
  out[id] = foo;
}
