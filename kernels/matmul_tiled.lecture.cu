// P = M * N by tiles in shared memory, as the slides have
// it, for square matrices stored row by row.
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
  for (int m = 0; m < Width / TILE_WIDTH; m++) {
    int Mcol = m * TILE_WIDTH + tx;
    int Nrow = m * TILE_WIDTH + ty;
    Mds[ty][tx] = Md[Row * Width + Mcol];
    Nds[ty][tx] = Nd[Nrow * Width + Col];
    __syncthreads();
    #pragma unroll 1
    for (int k = 0; k < TILE_WIDTH; k++)
      Pvalue += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }
  Pd[Row * Width + Col] = Pvalue;
}

template __global__
void MatrixMulKernel<8>(float *, float *, float *, int);
template __global__
void MatrixMulKernel<16>(float *, float *, float *, int);
template __global__
void MatrixMulKernel<32>(float *, float *, float *, int);
