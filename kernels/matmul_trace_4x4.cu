// P = M * N for small matrices, blocks of 2 x 2 threads:
// each thread notes which elements it loads, step by step.
extern "C" __global__
void trace(float *P, int *Mread, int *Nread,
           const float *M, const float *N, int Width)
{
  int x = blockIdx.x * 2 + threadIdx.x;
  int y = blockIdx.y * 2 + threadIdx.y;
  int *Mnote = &Mread[(y * Width + x) * Width];
  int *Nnote = &Nread[(y * Width + x) * Width];
  float sum = 0.0f;
  #pragma unroll 1
  for (int k = 0; k < Width; k++) {
    int m = y * Width + k;
    int n = k * Width + x;
    sum += M[m] * N[n];
    Mnote[k] = m;
    Nnote[k] = n;
  }
  P[y * Width + x] = sum;
}
