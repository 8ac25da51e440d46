// Copy floats in pieces as large as T: a lane may load a
// piece at once where its address is a multiple of its size.
template <typename T> __global__
void wide_copy(float *out, float *in, int offset, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  int floats = sizeof(T) / sizeof(float);
  float *from = in + offset;
  bool wide = (size_t)from % sizeof(T) == 0;
  if (wide && i < n / floats) {
    T piece = ((T *)from)[i];
    ((T *)out)[i] = piece;
  }
  #pragma unroll 1
  for (int k = i; !wide && k < n; k += threads) {
    float word = from[k];
    out[k] = word;
  }
}

template __global__
void wide_copy<float>(float *, float *, int, int);
template __global__
void wide_copy<float2>(float *, float *, int, int);
template __global__
void wide_copy<float4>(float *, float *, int, int);
