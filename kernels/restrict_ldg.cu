// The same copy three times: with plain pointers, with a
// promise that nobody writes `in`, and asked for by name.
extern "C" __global__
void copy_plain(float *out, float *in, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i];
}

extern "C" __global__
void copy_restrict(float *__restrict__ out,
                   const float *__restrict__ in, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i];
}

extern "C" __global__
void copy_ldg(float *out, float *in, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __ldg(&in[i]);
}
