// Each thread adds up its share of x: first LOADS loads,
// then as many additions, and so on.
template <int LOADS>
__global__
void in_flight(unsigned *sums, const unsigned *x, int n)
{
  int all = gridDim.x * blockDim.x;
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  int i = id;
  unsigned sum = 0;
  #pragma unroll 1
  for (; i + (LOADS - 1) * all < n; i += LOADS * all) {
    unsigned v[LOADS];
    #pragma unroll
    for (int k = 0; k < LOADS; k++)
      v[k] = x[i + k * all];
    #pragma unroll
    for (int k = 0; k < LOADS; k++)
      sum += v[k];
  }
  #pragma unroll 1
  for (; i < n; i += all)
    sum += x[i];
  sums[id] = sum;
}

template __global__
void in_flight<1>(unsigned *, const unsigned *, int);
template __global__
void in_flight<2>(unsigned *, const unsigned *, int);
template __global__
void in_flight<4>(unsigned *, const unsigned *, int);
template __global__
void in_flight<8>(unsigned *, const unsigned *, int);
template __global__
void in_flight<16>(unsigned *, const unsigned *, int);
