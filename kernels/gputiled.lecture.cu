// C = A * B for matrices of any shape, by tiles of
// TS x TS elements in shared memory.
template <int TS> __global__
void gputiled(float *__restrict__ C,
              const float *__restrict__ A,
              const float *__restrict__ B,
              int Ay, int Ax, int Bx)
{
  __shared__ float Atile[TS][TS];
  __shared__ float Btile[TS][TS];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int ax = tx;
  int ay = blockIdx.y * TS + ty;
  int bx = blockIdx.x * TS + tx;
  int by = ty;
  float csum = 0.0f;
  #pragma unroll 1
  for (int t = 0; t < gridDim.x; t++) {
    float a = 0.0f;
    float b = 0.0f;
    if (ay < Ay && ax < Ax)
      a = A[ay * Ax + ax];
    if (by < Ax && bx < Bx)
      b = B[by * Bx + bx];
    Atile[ty][tx] = a;
    Btile[ty][tx] = b;
    __syncthreads();
    #pragma unroll 1
    for (int k = 0; k < TS; k++)
      csum += Atile[ty][k] * Btile[k][tx];
    __syncthreads();
    ax += TS;
    by += TS;
  }
  if (ay < Ay && bx < Bx)
    C[ay * Bx + bx] = csum;
}

template __global__
void gputiled<8>(float *, const float *, const float *,
                 int, int, int);
template __global__
void gputiled<16>(float *, const float *, const float *,
                  int, int, int);
template __global__
void gputiled<32>(float *, const float *, const float *,
                  int, int, int);
