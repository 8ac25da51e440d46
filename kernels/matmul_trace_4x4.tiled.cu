// P = M * N for small matrices, by tiles of 2 x 2: each
// thread notes which elements it loads, phase by phase.
extern "C" __global__
void trace(float *P, int *Mread, int *Nread,
           const float *M, const float *N, int Width)
{
  __shared__ float Mtile[2][2];
  __shared__ float Ntile[2][2];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int x = blockIdx.x * 2 + tx;
  int y = blockIdx.y * 2 + ty;
  int *Mnote = &Mread[(y * Width + x) * Width / 2];
  int *Nnote = &Nread[(y * Width + x) * Width / 2];
  float sum = 0.0f;
  #pragma unroll 1
  for (int p = 0; p < Width / 2; p++) {
    int m = y * Width + 2 * p + tx;
    int n = (2 * p + ty) * Width + x;
    Mtile[ty][tx] = M[m];
    Ntile[ty][tx] = N[n];
    Mnote[p] = m;
    Nnote[p] = n;
    __syncthreads();
    sum += Mtile[ty][0] * Ntile[0][tx];
    sum += Mtile[ty][1] * Ntile[1][tx];
    __syncthreads();
  }
  P[y * Width + x] = sum;
}
