// mma.h: products of small matrices by a whole warp (CUDA C++ Programming Guide, "Warp Matrix Functions"): half, with sums in float or
// half, and 8-bit integers with sums in int; for clang.
#pragma once
#pragma clang system_header

#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major { enum { row = 1 }; };
struct col_major { enum { row = 0 }; };
enum layout_t { mem_row_major, mem_col_major };

template <typename Use, int M, int N, int K, typename T, typename Layout = void> struct fragment;

template <typename T, int Count> struct lanescope_fragment {
  enum { num_elements = Count, num_storage_elements = Count };
  T x[Count];
};

#define LANESCOPE_LIST8(r) "=r"((r)[0]), "=r"((r)[1]), "=r"((r)[2]), "=r"((r)[3]), "=r"((r)[4]), "=r"((r)[5]), "=r"((r)[6]), "=r"((r)[7])
#define LANESCOPE_LIST4(r) "=r"((r)[0]), "=r"((r)[1]), "=r"((r)[2]), "=r"((r)[3])
#define LANESCOPE_LIST2(r) "=r"((r)[0]), "=r"((r)[1])
#define LANESCOPE_LIST1(r) "=r"((r)[0])
#define LANESCOPE_IN8(r) "r"((r)[0]), "r"((r)[1]), "r"((r)[2]), "r"((r)[3]), "r"((r)[4]), "r"((r)[5]), "r"((r)[6]), "r"((r)[7])
#define LANESCOPE_IN4(r) "r"((r)[0]), "r"((r)[1]), "r"((r)[2]), "r"((r)[3])
#define LANESCOPE_IN2(r) "r"((r)[0]), "r"((r)[1])
#define LANESCOPE_IN1(r) "r"((r)[0])
#define LANESCOPE_TEXT8 "{%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
#define LANESCOPE_TEXT4 "{%0, %1, %2, %3}, [%4], %5;"
#define LANESCOPE_TEXT2 "{%0, %1}, [%2], %3;"
#define LANESCOPE_TEXT1 "{%0}, [%1], %2;"
#define LANESCOPE_BACK8 " [%8], {%0, %1, %2, %3, %4, %5, %6, %7}, %9;"
#define LANESCOPE_BACK4 " [%4], {%0, %1, %2, %3}, %5;"

// A matrix of `regs` registers, loaded by rows or columns.
#define LANESCOPE_OPERAND(use, which, M, N, K, T, type, count, regs) \
  template <typename L> struct fragment<use, M, N, K, T, L> : lanescope_fragment<T, count> {}; \
  template <typename L> LANESCOPE_DEVICE void load_matrix_sync(fragment<use, M, N, K, T, L> &f, const T *at, unsigned stride) { \
    unsigned r[regs]; \
    if (L::row) \
      asm volatile("wmma.load." which ".sync.aligned.row.m" #M "n" #N "k" #K type " " LANESCOPE_TEXT##regs \
                   : LANESCOPE_LIST##regs(r) : "l"(at), "r"(stride) : "memory"); \
    else \
      asm volatile("wmma.load." which ".sync.aligned.col.m" #M "n" #N "k" #K type " " LANESCOPE_TEXT##regs \
                   : LANESCOPE_LIST##regs(r) : "l"(at), "r"(stride) : "memory"); \
    __builtin_memcpy(f.x, r, sizeof r); \
  }
#define LANESCOPE_SUMS(M, N, K, T, type, count, regs) \
  template <> struct fragment<accumulator, M, N, K, T, void> : lanescope_fragment<T, count> {}; \
  LANESCOPE_DEVICE void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const T *at, unsigned stride, layout_t layout) { \
    unsigned r[regs]; \
    if (layout == mem_row_major) \
      asm volatile("wmma.load.c.sync.aligned.row.m" #M "n" #N "k" #K type " " LANESCOPE_TEXT##regs \
                   : LANESCOPE_LIST##regs(r) : "l"(at), "r"(stride) : "memory"); \
    else \
      asm volatile("wmma.load.c.sync.aligned.col.m" #M "n" #N "k" #K type " " LANESCOPE_TEXT##regs \
                   : LANESCOPE_LIST##regs(r) : "l"(at), "r"(stride) : "memory"); \
    __builtin_memcpy(f.x, r, sizeof r); \
  } \
  LANESCOPE_DEVICE void store_matrix_sync(T *at, const fragment<accumulator, M, N, K, T> &f, unsigned stride, layout_t layout) { \
    unsigned r[regs]; \
    __builtin_memcpy(r, f.x, sizeof r); \
    if (layout == mem_row_major) \
      asm volatile("wmma.store.d.sync.aligned.row.m" #M "n" #N "k" #K type LANESCOPE_BACK##regs \
                   : : LANESCOPE_IN##regs(r), "l"(at), "r"(stride) : "memory"); \
    else \
      asm volatile("wmma.store.d.sync.aligned.col.m" #M "n" #N "k" #K type LANESCOPE_BACK##regs \
                   : : LANESCOPE_IN##regs(r), "l"(at), "r"(stride) : "memory"); \
  }

template <typename Use, int M, int N, int K, typename T, typename L, typename V>
LANESCOPE_DEVICE void fill_fragment(fragment<Use, M, N, K, T, L> &f, const V &value) {
#pragma unroll
  for (int i = 0; i < fragment<Use, M, N, K, T, L>::num_elements; i++) f.x[i] = (T)value;
}

// d = a b + c for the four orders of rows and columns.
#define LANESCOPE_PRODUCT(M, N, K, A, T, types, order, LA, LB, text, da, aa, ba, ca, na, nb, nc) \
  LANESCOPE_DEVICE void mma_sync(fragment<accumulator, M, N, K, T> &d, const fragment<matrix_a, M, N, K, A, LA> &a, \
                                 const fragment<matrix_b, M, N, K, A, LB> &b, const fragment<accumulator, M, N, K, T> &c) { \
    unsigned dr[nc], ar[na], br[nb], cr[nc]; \
    __builtin_memcpy(ar, a.x, sizeof ar); \
    __builtin_memcpy(br, b.x, sizeof br); \
    __builtin_memcpy(cr, c.x, sizeof cr); \
    asm volatile("wmma.mma.sync.aligned." order ".m" #M "n" #N "k" #K types " " text : da(dr) : aa(ar), ba(br), ca(cr)); \
    __builtin_memcpy(d.x, dr, sizeof dr); \
  }
#define LANESCOPE_PRODUCTS(M, N, K, A, T, types, text, da, aa, ba, ca, na, nb, nc) \
  LANESCOPE_PRODUCT(M, N, K, A, T, types, "row.row", row_major, row_major, text, da, aa, ba, ca, na, nb, nc) \
  LANESCOPE_PRODUCT(M, N, K, A, T, types, "row.col", row_major, col_major, text, da, aa, ba, ca, na, nb, nc) \
  LANESCOPE_PRODUCT(M, N, K, A, T, types, "col.row", col_major, row_major, text, da, aa, ba, ca, na, nb, nc) \
  LANESCOPE_PRODUCT(M, N, K, A, T, types, "col.col", col_major, col_major, text, da, aa, ba, ca, na, nb, nc)
#define LANESCOPE_MMA888 \
  "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, " \
  "{%24, %25, %26, %27, %28, %29, %30, %31};"
#define LANESCOPE_MMA884 \
  "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};"

#define LANESCOPE_HALVES(M, N, K) \
  LANESCOPE_OPERAND(matrix_a, "a", M, N, K, __half, ".f16", 16, 8) \
  LANESCOPE_OPERAND(matrix_b, "b", M, N, K, __half, ".f16", 16, 8) \
  LANESCOPE_SUMS(M, N, K, float, ".f32", 8, 8) \
  LANESCOPE_SUMS(M, N, K, __half, ".f16", 8, 4) \
  LANESCOPE_PRODUCTS(M, N, K, __half, float, ".f32.f32", LANESCOPE_MMA888, LANESCOPE_LIST8, LANESCOPE_IN8, LANESCOPE_IN8, LANESCOPE_IN8, \
                     8, 8, 8) \
  LANESCOPE_PRODUCTS(M, N, K, __half, __half, ".f16.f16", LANESCOPE_MMA884, LANESCOPE_LIST4, LANESCOPE_IN8, LANESCOPE_IN8, LANESCOPE_IN4, \
                     8, 8, 4)
LANESCOPE_HALVES(16, 16, 16)
LANESCOPE_HALVES(32, 8, 16)
LANESCOPE_HALVES(8, 32, 16)

LANESCOPE_OPERAND(matrix_a, "a", 16, 16, 16, signed char, ".s8", 8, 2)
LANESCOPE_OPERAND(matrix_b, "b", 16, 16, 16, signed char, ".s8", 8, 2)
LANESCOPE_OPERAND(matrix_a, "a", 16, 16, 16, unsigned char, ".u8", 8, 2)
LANESCOPE_OPERAND(matrix_b, "b", 16, 16, 16, unsigned char, ".u8", 8, 2)
LANESCOPE_SUMS(16, 16, 16, int, ".s32", 8, 8)
#define LANESCOPE_MMA8228 "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"
LANESCOPE_PRODUCTS(16, 16, 16, signed char, int, ".s32.s8.s8.s32", LANESCOPE_MMA8228, LANESCOPE_LIST8, LANESCOPE_IN2,
                   LANESCOPE_IN2, LANESCOPE_IN8, 2, 2, 8)
LANESCOPE_PRODUCTS(16, 16, 16, unsigned char, int, ".s32.u8.u8.s32", LANESCOPE_MMA8228, LANESCOPE_LIST8, LANESCOPE_IN2,
                   LANESCOPE_IN2, LANESCOPE_IN8, 2, 2, 8)

}
}
