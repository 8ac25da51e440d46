// C = A B. A is m x k and B is k x n, both of halves; C is of
// floats. All are row-major, and all sizes are multiples of
// 16. One warp makes a tile of 16 x 16 of C: blockIdx.x counts
// along a row, blockIdx.y down.
#include <mma.h>

using namespace nvcuda::wmma;

extern "C" __global__ void product(float *C, const half *A,
                                   const half *B, int n,
                                   int k) {
  // TODO: fragments, one mma_sync for each 16 of k, a store.
}
