// C = A * B, row by row, with a promise: what is stored
// through C is never read through A or B.
extern "C" __global__
void gpumult1(float *__restrict__ C,
              const float *__restrict__ A,
              const float *__restrict__ B,
              int Ay, int Ax, int Bx)
{
  int tx = blockIdx.x * blockDim.x + threadIdx.x;
  int ty = blockIdx.y * blockDim.y + threadIdx.y;
  if (ty >= Ay || tx >= Bx)
    return;
  C[ty * Bx + tx] = 0.0f;
  #pragma unroll 1
  for (int k = 0; k < Ax; k++) {
    float a = A[ty * Ax + k];
    float b = B[k * Bx + tx];
    C[ty * Bx + tx] += a * b;
  }
}
