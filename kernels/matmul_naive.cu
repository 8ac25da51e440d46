// P = M * N, square matrices stored row by row:
// one thread for each element of P.
template <int TILE_WIDTH> __global__
void MatrixMulKernel(float *Md, float *Nd, float *Pd,
                     int Width)
{
  int Row = blockIdx.y * TILE_WIDTH + threadIdx.y;
  int Col = blockIdx.x * TILE_WIDTH + threadIdx.x;
  if (Row >= Width || Col >= Width)
    return;
  float Pvalue = 0.0f;
  #pragma unroll 1
  for (int k = 0; k < Width; k++) {
    float Melement = Md[Row * Width + k];
    float Nelement = Nd[k * Width + Col];
    Pvalue += Melement * Nelement;
  }
  Pd[Row * Width + Col] = Pvalue;
}

template __global__
void MatrixMulKernel<8>(float *, float *, float *, int);
template __global__
void MatrixMulKernel<16>(float *, float *, float *, int);
template __global__
void MatrixMulKernel<32>(float *, float *, float *, int);
