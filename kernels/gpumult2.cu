// C = A * B, row by row. One function finds the place of
// element (i, j) in a matrix with so many columns.
extern "C" __global__
void gpumult2(float *__restrict__ C,
              const float *__restrict__ A,
              const float *__restrict__ B,
              int Ay, int Ax, int Bx)
{
  int tx = blockIdx.x * blockDim.x + threadIdx.x;
  int ty = blockIdx.y * blockDim.y + threadIdx.y;
  if (ty >= Ay || tx >= Bx)
    return;
  auto idx = [](int i, int j, int columns) {
    return i * columns + j;
  };
  C[idx(ty, tx, Bx)] = 0.0f;
  #pragma unroll 1
  for (int k = 0; k < Ax; k++) {
    float a = A[idx(ty, k, Ax)];
    float b = B[idx(k, tx, Bx)];
    C[idx(ty, tx, Bx)] += a * b;
  }
}
