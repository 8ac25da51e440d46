// P = M * N, square matrices stored row by row: a block
// brings tiles of M and N into shared memory, and each
// element brought in serves TILE_WIDTH threads.
template <int TILE_WIDTH> __global__
void MatrixMulKernel(float *Md, float *Nd, float *Pd,
                     int Width)
{
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int Row = blockIdx.y * TILE_WIDTH + ty;
  int Col = blockIdx.x * TILE_WIDTH + tx;
  float Pvalue = 0.0f;
  #pragma unroll 1
  for (int m = 0; m * TILE_WIDTH < Width; m++) {
    int Mcol = m * TILE_WIDTH + tx;
    int Nrow = m * TILE_WIDTH + ty;
    float Melement = 0.0f;
    float Nelement = 0.0f;
    if (Row < Width && Mcol < Width)
      Melement = Md[Row * Width + Mcol];
    if (Nrow < Width && Col < Width)
      Nelement = Nd[Nrow * Width + Col];
    Mds[ty][tx] = Melement;
    Nds[ty][tx] = Nelement;
    #pragma unroll 1
    for (int k = 0; k < TILE_WIDTH; k++)
      Pvalue += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }
  if (Row < Width && Col < Width)
    Pd[Row * Width + Col] = Pvalue;
}

template __global__
void MatrixMulKernel<8>(float *, float *, float *, int);
template __global__
void MatrixMulKernel<16>(float *, float *, float *, int);
template __global__
void MatrixMulKernel<32>(float *, float *, float *, int);
