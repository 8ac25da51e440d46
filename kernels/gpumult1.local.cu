// C = A * B, row by row, without a promise: the sum is
// kept in a variable that nobody else can point to.
extern "C" __global__
void gpumult1(float *C, const float *A, const float *B,
              int Ay, int Ax, int Bx)
{
  int tx = blockIdx.x * blockDim.x + threadIdx.x;
  int ty = blockIdx.y * blockDim.y + threadIdx.y;
  if (ty >= Ay || tx >= Bx)
    return;
  float c = 0.0f;
  #pragma unroll 1
  for (int k = 0; k < Ax; k++) {
    float a = A[ty * Ax + k];
    float b = B[k * Bx + tx];
    c += a * b;
  }
  C[ty * Bx + tx] = c;
}
