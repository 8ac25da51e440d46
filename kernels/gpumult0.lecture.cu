// C = A * B, row by row, added up in global memory: the
// compiler cannot know that C is not a part of A or B.
extern "C" __global__
void gpumult0(float *C, const float *A, const float *B,
              int Ay, int Ax, int Bx)
{
  int tx = blockIdx.x * blockDim.x + threadIdx.x;
  int ty = blockIdx.y * blockDim.y + threadIdx.y;
  if (ty >= Ay || tx >= Bx)
    return;
  C[ty * Bx + tx] = 0.0f;
  #pragma unroll 1
  for (int k = 0; k < Ax; k++) {
    float a = A[ty * Bx + k];
    float b = B[k * Bx + tx];
    C[ty * Bx + tx] += a * b;
  }
}
