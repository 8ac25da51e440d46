// The lecture's two calls: a product of matrices that lie
// row by row, then its transpose. See the program's steps.
#include "sgemm_call.cu"

// D = op(C), m rows and n columns.
__device__
void sgeam(Op tc, int m, int n,
           const float *C, int ldc, float *D, int ldd)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  bool refused = ldc < (tc == N ? m : n) || ldd < m;
  if (refused || i >= m || j >= n)
    return;
  D[i + j * ldd] = element(tc, C, ldc, i, j);
}

extern "C" __global__
void transpose(float *D, const float *C,
               int Crow, int Ccol)
{
  sgeam(T, Crow, Ccol, C, Crow, D, Ccol);
}
