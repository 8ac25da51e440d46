// Chains of multiply-adds: each needs the one before it in
// its chain, and nothing of the other chains.
template <typename Real, int CHAINS>
__global__
void fma_chains(Real *y, Real a, Real b, int turns)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Real v[CHAINS];
  #pragma unroll
  for (int k = 0; k < CHAINS; k++)
    v[k] = i + k;
  #pragma unroll 8
  for (int turn = 0; turn < turns; turn++) {
    #pragma unroll
    for (int k = 0; k < CHAINS; k++)
      v[k] = a * v[k] + b;
  }
  Real sum = 0;
  #pragma unroll
  for (int k = 0; k < CHAINS; k++)
    sum += v[k];
  y[i] = sum;
}

template __global__
void fma_chains<float, 1>(float *, float, float, int);
template __global__
void fma_chains<float, 2>(float *, float, float, int);
template __global__
void fma_chains<float, 4>(float *, float, float, int);
template __global__
void fma_chains<float, 8>(float *, float, float, int);
template __global__
void fma_chains<double, 1>(double *, double, double, int);
template __global__
void fma_chains<double, 2>(double *, double, double, int);
template __global__
void fma_chains<double, 4>(double *, double, double, int);
template __global__
void fma_chains<double, 8>(double *, double, double, int);
