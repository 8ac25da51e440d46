// C = A * B by tiles, with its two loops unrolled: so many
// rounds are written out one after the other.
template <int TS, int INNER, int OUTER> __global__
void gputiled1(float *__restrict__ C,
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
  #pragma unroll OUTER
  for (int t = 0; t < (Ax + TS - 1) / TS; t++) {
    float a = 0.0f;
    float b = 0.0f;
    if (ay < Ay && ax < Ax)
      a = A[ay * Ax + ax];
    if (by < Ax && bx < Bx)
      b = B[by * Bx + bx];
    Atile[ty][tx] = a;
    Btile[ty][tx] = b;
    __syncthreads();
    #pragma unroll INNER
    for (int k = 0; k < TS; k++)
      csum += Atile[ty][k] * Btile[k][tx];
    __syncthreads();
    ax += TS;
    by += TS;
  }
  if (ay < Ay && bx < Bx)
    C[ay * Bx + bx] = csum;
}

#define INSTANCE(TS, INNER, OUTER)                      \
  template __global__                                   \
  void gputiled1<TS, INNER, OUTER>(                     \
    float *, const float *, const float *, int, int, int)
#define INSTANCES(TS)                                   \
  INSTANCE(TS, 1, 1);                                   \
  INSTANCE(TS, 4, 1);                                   \
  INSTANCE(TS, 16, 1);                                  \
  INSTANCE(TS, 1, 4);                                   \
  INSTANCE(TS, 4, 4);                                   \
  INSTANCE(TS, 16, 4);                                  \
  INSTANCE(TS, 1, 16);                                  \
  INSTANCE(TS, 4, 16);                                  \
  INSTANCE(TS, 16, 16)
INSTANCES(16);
INSTANCES(32);
