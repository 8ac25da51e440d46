#include <mma.h>
using namespace nvcuda;

// C = A * B, row by row, N a multiple of 16: a warp for
// each tile of 16 x 16 elements of C.
extern "C" __global__
void wmma_tiles(float *C, half *A, half *B, int N)
{
  int row = 16 * blockIdx.y;
  int col = 16 * blockIdx.x;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half,
                 wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half,
                 wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
  #pragma unroll 1
  for (int k = 0; k < N; k += 16) {
    wmma::load_matrix_sync(a, &A[row * N + k], 16);
    wmma::load_matrix_sync(b, &B[k * N + col], 16);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(&C[row * N + col], c, N,
                          wmma::mem_row_major);
}
