// matrix.cu: small products of matrices in every way that a warp has, for the emulator's tests.
//   nvcc -arch=sm_90 -ptx matrix.cu
// A(i, k) and B(k, j) are small integers, so that every type holds them and every sum exactly.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
typedef unsigned u32;

__device__ int A(int i, int k) { return (i * 7 + k * 3) % 11 - 5; }
__device__ int B(int k, int j) { return (k * 5 + j * 3 + k * j) % 7 - 3; }
__device__ int C(int i, int j) { return (i + 2 * j) % 5 - 2; }

template <class T> __device__ void fill(T *a, T *b, int m, int n, int k, bool a_by_column, bool b_by_column) {
#pragma unroll 1
  for (int at = threadIdx.x; at < m * k; at += 32)
    a[at] = a_by_column ? T(float(A(at % m, at / m))) : T(float(A(at / k, at % k)));
#pragma unroll 1
  for (int at = threadIdx.x; at < k * n; at += 32)
    b[at] = b_by_column ? T(float(B(at % k, at / k))) : T(float(B(at / n, at % n)));
  __syncwarp();
}

__device__ u32 shared_address(const void *p) { return (u32)__cvta_generic_to_shared(p); }
__device__ void ldmatrix4(u32 r[4], const void *p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(shared_address(p)));
}
__device__ void ldmatrix2(u32 r[2], const void *p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1]) : "r"(shared_address(p)));
}
__device__ void ldmatrix2_trans(u32 r[2], const void *p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1]) : "r"(shared_address(p)));
}

// f16 with f32 accumulators, B from columns.
extern "C" __global__ void mma_f16(float *out) {
  __shared__ __align__(16) half a[16 * 16], b[16 * 8];
  int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  fill(a, b, 16, 8, 16, false, true);
  u32 ra[4], rb[2];
  float c[4];
  for (int i = 0; i < 4; i++) c[i] = C(g + 8 * (i / 2), 2 * t + i % 2);
  ldmatrix4(ra, a + lane % 16 * 16 + lane / 16 * 8);
  ldmatrix2(rb, b + lane % 8 * 16 + lane / 8 % 2 * 8);
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  for (int i = 0; i < 4; i++) out[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2] = c[i];
}

// f16 accumulators, B from rows by a transposing load, stored with stmatrix.
extern "C" __global__ void mma_f16_f16(float *out) {
  __shared__ __align__(16) half a[16 * 16], b[16 * 8], d[16 * 8];
  int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  fill(a, b, 16, 8, 16, false, false);
  u32 ra[4], rb[2], c[2];
  for (int i = 0; i < 2; i++) {
    half2 pair = __floats2half2_rn(C(g + 8 * i, 2 * t), C(g + 8 * i, 2 * t + 1));
    c[i] = *(u32 *)&pair;
  }
  ldmatrix4(ra, a + lane % 16 * 16 + lane / 16 * 8);
  ldmatrix2_trans(rb, b + lane % 16 * 8);
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
               : "+r"(c[0]), "+r"(c[1]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};"
               :: "r"(shared_address(d + lane % 16 * 8)), "r"(c[0]), "r"(c[1]));
  __syncwarp();
  for (int at = lane; at < 128; at += 32) out[at] = __half2float(d[at]);
}

extern "C" __global__ void mma_bf16_k8(float *out) {
  __shared__ __align__(16) __nv_bfloat16 a[16 * 8], b[8 * 8];
  int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  fill(a, b, 16, 8, 8, false, true);
  const u32 *wa = (const u32 *)a, *wb = (const u32 *)b;
  float c[4];
  for (int i = 0; i < 4; i++) c[i] = C(g + 8 * (i / 2), 2 * t + i % 2);
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(wa[g * 4 + t]), "r"(wa[(g + 8) * 4 + t]), "r"(wb[g * 4 + t]));
  for (int i = 0; i < 4; i++) out[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2] = c[i];
}

extern "C" __global__ void mma_tf32(float *out) {
  int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  u32 a[4], b[2];
  float c[4];
  for (int i = 0; i < 4; i++) {
    a[i] = __float_as_uint(A(g + 8 * (i % 2), t + 4 * (i / 2)));
    c[i] = C(g + 8 * (i / 2), 2 * t + i % 2);
  }
  for (int i = 0; i < 2; i++) b[i] = __float_as_uint(B(t + 4 * i, g));
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 4; i++) out[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2] = c[i];
}

extern "C" __global__ void mma_s8(float *out) {
  __shared__ __align__(16) signed char a[16 * 32], b[32 * 8];
  int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  fill(a, b, 16, 8, 32, false, true);
  const u32 *wa = (const u32 *)a, *wb = (const u32 *)b;
  int c[4];
  for (int i = 0; i < 4; i++) c[i] = C(g + 8 * (i / 2), 2 * t + i % 2);
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
               : "r"(wa[g * 8 + t]), "r"(wa[(g + 8) * 8 + t]), "r"(wa[g * 8 + t + 4]), "r"(wa[(g + 8) * 8 + t + 4]),
                 "r"(wb[g * 8 + t]), "r"(wb[g * 8 + t + 4]));
  for (int i = 0; i < 4; i++) out[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2] = c[i];
}

extern "C" __global__ void mma_s8_k16(float *out) {
  __shared__ __align__(16) signed char a[16 * 16], b[16 * 8];
  int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  fill(a, b, 16, 8, 16, false, true);
  const u32 *wa = (const u32 *)a, *wb = (const u32 *)b;
  int c[4];
  for (int i = 0; i < 4; i++) c[i] = C(g + 8 * (i / 2), 2 * t + i % 2);
  asm volatile("mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
               "{%0, %1, %2, %3};"
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
               : "r"(wa[g * 4 + t]), "r"(wa[(g + 8) * 4 + t]), "r"(wb[g * 4 + t]));
  for (int i = 0; i < 4; i++) out[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2] = c[i];
}

extern "C" __global__ void mma_f64(float *out) {
  int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  double a = A(g, t), b = B(t, g), c[2] = {(double)C(g, 2 * t), (double)C(g, 2 * t + 1)};
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(c[0]), "+d"(c[1]) : "d"(a), "d"(b));
  for (int i = 0; i < 2; i++) out[g * 8 + 2 * t + i] = c[i];
}

// A sparse A keeps two of four elements, first and second, in a row.
__device__ int first(int i, int chunk) { return (i + chunk) % 3; }
__device__ int second(int i, int chunk) { return first(i, chunk) + 1 + i % (3 - first(i, chunk)); }
__device__ __noinline__ int kept(int i, int stored) {
  int chunk = stored / 2, index = stored % 2 ? second(i, chunk) : first(i, chunk);
  return A(i, 4 * chunk + index);
}
__device__ __noinline__ u32 told(int i, int first_chunk, int count) {   // metadata of chunks of a row
  u32 bits = 0;
#pragma unroll 1
  for (int c = 0; c < count; c++)
    bits |= (u32)(first(i, first_chunk + c) | second(i, first_chunk + c) << 2) << 4 * c;
  return bits;
}

// The last two lanes of each group tell, 16 bits of two rows each.
extern "C" __global__ void mma_sp_f16(float *out) {
  int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  u32 a[4], b[4], metadata = t < 2 ? 0 : told(g, 4 * (t - 2), 4) | told(g + 8, 4 * (t - 2), 4) << 16;
  float c[4];
  for (int r = 0; r < 4; r++) {
    int row = g + 8 * (r % 2), stored = 2 * t + 8 * (r / 2), k = 2 * t + 8 * r;
    __half2 pair = __floats2half2_rn(kept(row, stored), kept(row, stored + 1));
    a[r] = *(u32 *)&pair;
    pair = __floats2half2_rn(B(k, g), B(k + 1, g));
    b[r] = *(u32 *)&pair;
    c[r] = C(g + 8 * (r / 2), 2 * t + r % 2);
  }
  asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
               "{%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, 1;"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(metadata));
  for (int i = 0; i < 4; i++) out[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2] = c[i];
}

// All lanes tell, 32 bits of a row each.
extern "C" __global__ void mma_sp_s8(float *out) {
  int lane = threadIdx.x, g = lane / 4, t = lane % 4, c[4];
  u32 a[4], b[4], metadata = told(g + 8 * (t % 2), 8 * (t / 2), 8);
  for (int r = 0; r < 4; r++) {
    a[r] = b[r] = 0;
    for (int j = 0; j < 4; j++) {
      a[r] |= (kept(g + 8 * (r % 2), 4 * t + 16 * (r / 2) + j) & 0xffu) << 8 * j;
      b[r] |= (B(4 * t + 16 * r + j, g) & 0xffu) << 8 * j;
    }
    c[r] = C(g + 8 * (r / 2), 2 * t + r % 2);
  }
  asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, "
               "{%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, 0;"
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(metadata));
  for (int i = 0; i < 4; i++) out[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2] = c[i];
}

// Four products of 8 x 8 by 4, A from columns, B from rows: those of A and out lie one below the other.
extern "C" __global__ void mma_quads(float *out) {
  int lane = threadIdx.x, q = lane / 4 % 4, t = lane % 4, lower = lane / 16 * 4;
  half a[4], b[4];
  float c[8];
  for (int i = 0; i < 4; i++) a[i] = __float2half(A(8 * q + lower + i, t));
  for (int i = 0; i < 4; i++) b[i] = __float2half(B(t, 8 * q + lower + i));
  for (int i = 0; i < 8; i++) c[i] = C(8 * q + (t & 1) + (i & 2) + lower, (i & 4) + (t & 2) + (i & 1));
  const u32 *ra = (const u32 *)a, *rb = (const u32 *)b;
  asm volatile("mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, "
               "{%10, %11}, {%0, %1, %2, %3, %4, %5, %6, %7};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7])
               : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(rb[1]));
  for (int i = 0; i < 8; i++)
    out[(8 * q + (t & 1) + (i & 2) + lower) * 8 + (i & 4) + (t & 2) + (i & 1)] = c[i];
}

// 4 bits and 1 bit: rows of A and columns of B behind each other, with a gap.
namespace precision = wmma::experimental::precision;
template <class S> __device__ void narrow(int *out, const u32 *a, const u32 *b, int stride);
template <> __device__ void narrow<precision::s4>(int *out, const u32 *a, const u32 *b, int stride) {
  wmma::fragment<wmma::matrix_a, 8, 8, 32, precision::s4, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 32, precision::s4, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 32, int> fc;
  wmma::load_matrix_sync(fc, out, 8, wmma::mem_row_major);
  wmma::load_matrix_sync(fa, a, stride);
  wmma::load_matrix_sync(fb, b, stride);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(out, fc, 8, wmma::mem_row_major);
}
template <> __device__ void narrow<precision::b1>(int *out, const u32 *a, const u32 *b, int stride) {
  wmma::fragment<wmma::matrix_a, 8, 8, 128, precision::b1, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, precision::b1, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> fc;
  wmma::load_matrix_sync(fc, out, 8, wmma::mem_row_major);
  wmma::load_matrix_sync(fa, a, stride);
  wmma::load_matrix_sync(fb, b, stride);
  wmma::bmma_sync(fc, fa, fb, fc, wmma::experimental::bmmaBitOpAND, wmma::experimental::bmmaAccumulateOpPOPC);
  wmma::store_matrix_sync(out, fc, 8, wmma::mem_row_major);
}
template <class S, int STRIDE, int BITS> __device__ void narrow_product(int *out) {
  __shared__ __align__(32) u32 a[8 * STRIDE * BITS / 32], b[8 * STRIDE * BITS / 32];
  const int per_word = 32 / BITS, words = STRIDE / per_word;
#pragma unroll 1
  for (int at = threadIdx.x; at < 8 * words; at += 32) {
    u32 x = 0, y = 0;
#pragma unroll 1
    for (int i = 0; i < per_word; i++) {
      int line = at / words, k = at % words * per_word + i;
      x |= (u32)(A(line, k) & ((1 << BITS) - 1)) << BITS * i;
      y |= (u32)(B(k, line) & ((1 << BITS) - 1)) << BITS * i;
    }
    a[at] = x;
    b[at] = y;
  }
  for (int at = threadIdx.x; at < 64; at += 32) out[at] = C(at / 8, at % 8);
  __syncwarp();
  narrow<S>(out, a, b, STRIDE);
}
extern "C" __global__ void wmma_s4(int *out) { narrow_product<precision::s4, 64, 4>(out); }
extern "C" __global__ void wmma_b1(int *out) { narrow_product<precision::b1, 256, 1>(out); }

// The transpose of an 8 x 8 matrix whose element (i, j) is 8 i + j.
extern "C" __global__ void transpose(float *out) {
  int lane = threadIdx.x, row = lane / 4, col = 2 * (lane % 4);
  u32 from = (row * 8 + col) | (row * 8 + col + 1) << 16, to;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(to) : "r"(from));
  out[row * 8 + col] = to & 0xffff;
  out[row * 8 + col + 1] = to >> 16;
}

template <int M, int N, int K, class T, class S, class D, class LA, class LB>
__device__ void product(D *out, T *a, T *b, bool a_by_column, bool b_by_column, wmma::layout_t order) {
  fill(a, b, M, N, K, a_by_column, b_by_column);
  wmma::fragment<wmma::matrix_a, M, N, K, S, LA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, S, LB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, D> fc;
  bool by_column = order == wmma::mem_col_major;
#pragma unroll 1
  for (int at = threadIdx.x; at < M * N; at += 32)
    out[at] = D(float(by_column ? C(at % M, at / M) : C(at / N, at % N)));
  __syncwarp();
  wmma::load_matrix_sync(fc, out, by_column ? M : N, order);
  wmma::load_matrix_sync(fa, a, a_by_column ? M : K);
  wmma::load_matrix_sync(fb, b, b_by_column ? K : N);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(out, fc, by_column ? M : N, order);
}

#define WMMA(name, M, N, K, T, S, D, LA, LB, order)                                                        \
  extern "C" __global__ void name(D *out) {                                                                \
    __shared__ __align__(32) T a[M * K], b[K * N];                                                         \
    product<M, N, K, T, S, D, wmma::LA##_major, wmma::LB##_major>(out, a, b, #LA[0] == 'c', #LB[0] == 'c', \
                                                                  wmma::mem_##order##_major);              \
  }
WMMA(wmma_f16, 16, 16, 16, half, half, float, row, col, row)
WMMA(wmma_f16_tall, 32, 8, 16, half, half, float, col, row, col)
WMMA(wmma_f16_wide, 8, 32, 16, half, half, half, row, row, col)
WMMA(wmma_bf16, 16, 16, 16, __nv_bfloat16, __nv_bfloat16, float, col, col, row)
WMMA(wmma_s8, 16, 16, 16, signed char, signed char, int, row, col, row)
WMMA(wmma_s8_wide, 8, 32, 16, signed char, signed char, int, col, row, col)
WMMA(wmma_tf32, 16, 16, 8, float, wmma::precision::tf32, float, row, col, row)
WMMA(wmma_f64, 8, 8, 4, double, double, double, row, col, row)
