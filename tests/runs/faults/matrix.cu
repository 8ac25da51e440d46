// matrix.cu: matrix instructions, which are for all 32 lanes of a warp.
#include <mma.h>
using namespace nvcuda;

typedef wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> FragmentA;
typedef wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> FragmentB;
typedef wmma::fragment<wmma::accumulator, 16, 16, 16, float> FragmentC;

__device__ __forceinline__ void product_of(float *c, const half *a, const half *b) {
  FragmentA x;
  FragmentB y;
  FragmentC sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(x, a, 16);
  wmma::load_matrix_sync(y, b, 16);
  wmma::mma_sync(sum, x, y, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

// A block of half a warp.
//: run half_a_warp_multiplies -b 16 -a f32[256]=none -a f16[256]=const:1 -a f16[256]=const:2
//: expect partial_warp "lanes 0-15 execute this without lanes 16-31"
extern "C" __global__ void half_a_warp_multiplies(float *c, const half *a, const half *b) { product_of(c, a, b); }

// The second half of the warp has gone.
//: run half_has_gone -b 32 -a f32[256]=none -a f16[256]=const:1 -a f16[256]=const:2
//: expect partial_warp "lanes 0-15 execute this without lanes 16-31"
extern "C" __global__ void half_has_gone(float *c, const half *a, const half *b) {
  if (threadIdx.x >= 16) return;
  product_of(c, a, b);
}

// One lane less, in a branch that the others pass.
//: run one_lane_less -b 32 -a f32[257]=zero -a f16[256]=const:1 -a f16[256]=const:2
//: expect partial_warp "without lane 31"
extern "C" __global__ void one_lane_less(float *c, const half *a, const half *b) {
  if (threadIdx.x < 31) product_of(c, a, b);
  else c[256] = 1;
}

// Whole warps in a branch are right, and so is what is left of a warp that was apart before.
//: run whole_warps -b 64 -a f32[256]=none -a f16[256]=const:1 -a f16[256]=const:2 -a i32[64]=iota
//: clean
extern "C" __global__ void whole_warps(float *c, const half *a, const half *b, int *odd) {
  if (threadIdx.x % 2) odd[threadIdx.x] += 1;
  else odd[threadIdx.x] -= 1;
  if (threadIdx.x >= 32) product_of(c, a, b);
}

// The accumulator is never set.
//: run accumulator_unset -b 32 -a f32[256]=none -a f16[256]=const:1 -a f16[256]=const:2
//: expect uninitialized @accumulator_unset
extern "C" __global__ void accumulator_unset(float *c, const half *a, const half *b) {
  FragmentA x;
  FragmentB y;
  FragmentC sum;
  wmma::load_matrix_sync(x, a, 16);
  wmma::load_matrix_sync(y, b, 16);
  wmma::mma_sync(sum, x, y, sum);                               // @accumulator_unset
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}
