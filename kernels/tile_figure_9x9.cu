// C = A * B for 9 x 9 matrices by tiles of 3 x 3. What each
// phase adds to an element is stored, too.
extern "C" __global__
void figure(float *C, float *parts,
            const float *A, const float *B)
{
  __shared__ float Atile[3][3];
  __shared__ float Btile[3][3];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int col = blockIdx.x * 3 + tx;
  int row = blockIdx.y * 3 + ty;
  float csum = 0.0f;
  #pragma unroll 1
  for (int t = 0; t < 3; t++) {
    Atile[ty][tx] = A[row * 9 + 3 * t + tx];
    Btile[ty][tx] = B[(3 * t + ty) * 9 + col];
    __syncthreads();
    float part = 0.0f;
    #pragma unroll 1
    for (int k = 0; k < 3; k++)
      part += Atile[ty][k] * Btile[k][tx];
    parts[t * 81 + row * 9 + col] = part;
    csum += part;
    __syncthreads();
  }
  C[row * 9 + col] = csum;
}
