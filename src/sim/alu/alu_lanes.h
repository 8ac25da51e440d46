// alu_lanes.h: how the operations of alu.h are written: one line each in a .def file, which is read twice.
//
//   LANE2(name, D, A, B, expression, key...)
//
// makes a function `name` that computes `expression` from a (an A) and b (a B) on 32 lanes, and a row of the table that
// says which instructions it is for. The key is a list of designated initializers of AluRow.
//
// QUICK2 is the same for what takes no longer than a move: it has a second loop, for some of the lanes.
//
// The sources of ALU_TABLES are compiled once per instruction set (ALU_ISA is part of every outside name). The
// loops have no branches on the mask, so that the compiler makes vector code of them: an instruction with lanes
// switched off computes all lanes aside and then keeps those in the mask (alu_partial).
#ifndef LS_SIM_ALU_LANES_H
#define LS_SIM_ALU_LANES_H

#include "ptx/module.h"
#include "sim/alu/alu.h"

#ifndef ALU_ISA
#define ALU_ISA generic
#endif
#define ALU_JOIN_(a, b) a##_##b
#define ALU_JOIN(a, b) ALU_JOIN_(a, b)
#define ALU_NAME(name) ALU_JOIN(name, ALU_ISA)

// Which instructions a function is for. Sets are bit masks by enumeration value; an empty set means that the
// instruction must not say anything there.
typedef struct AluRow {
  uint16_t op;               // PtxOp
  uint8_t mode;              // PtxMode
  uint8_t boolop;            // nonzero: a boolean combination, with one source more, is understood
  uint8_t sources;           // operands after the destination, immediates of the form aside; 0: any number
  uint64_t types, types2;    // PtxType
  uint32_t rounds, cmps;     // PtxRound, PtxCmp
  uint32_t flags, any_flags; // flags that must stand there; flags that may
  SimAlu run;
} AluRow;

typedef struct AluTable { const AluRow *rows; int count; } AluTable;

// One table per source, each for one instruction set.
#define ALU_TABLES(X) X(alu_int) X(alu_float) X(alu_half) X(alu_cmp) X(alu_cvt) X(alu_approx)
// What no instruction set makes faster, since it goes lane by lane: compiled once, and looked at after the others.
#define ALU_SERIAL_TABLES(X) X(alu_serial) X(alu_directed) X(alu_half_modified) X(alu_set) X(alu_cvt_any)

#define T_SET(t) (1ull << PTX_##t)
#define T_B8 T_SET(B8)
#define T_B16 T_SET(B16)
#define T_B32 T_SET(B32)
#define T_B64 T_SET(B64)
#define T_U8 T_SET(U8)
#define T_U16 T_SET(U16)
#define T_U32 T_SET(U32)
#define T_U64 T_SET(U64)
#define T_S8 T_SET(S8)
#define T_S16 T_SET(S16)
#define T_S32 T_SET(S32)
#define T_S64 T_SET(S64)
#define T_F16 T_SET(F16)
#define T_F16X2 T_SET(F16X2)
#define T_BF16 T_SET(BF16)
#define T_BF16X2 T_SET(BF16X2)
#define T_TF32 T_SET(TF32)
#define T_F32 T_SET(F32)
#define T_F64 T_SET(F64)
#define T_U16X2 T_SET(U16X2)
#define T_S16X2 T_SET(S16X2)
#define T_PRED T_SET(PRED)
#define T_INT16 (T_U16 | T_S16)
#define T_INT32 (T_U32 | T_S32)
#define T_INT64 (T_U64 | T_S64)
#define T_ANY16 (T_INT16 | T_B16)
#define T_ANY32 (T_INT32 | T_B32)
#define T_ANY64 (T_INT64 | T_B64)
#define T_ALL16 (T_ANY16 | T_F16 | T_BF16)
#define T_ALL32 (T_ANY32 | T_F32 | T_F16X2 | T_BF16X2)
#define T_ALL64 (T_ANY64 | T_F64)
enum {
#define ALU_R(r) R_##r = 1u << PTX_##r
  R_NONE = 1u << PTX_RND_NONE, ALU_R(RN), ALU_R(RZ), ALU_R(RM), ALU_R(RP), ALU_R(RNA), ALU_R(RNI), ALU_R(RZI),
  ALU_R(RMI), ALU_R(RPI), R_DEFAULT = R_NONE | R_RN, R_DIRECTED = R_RZ | R_RM | R_RP,
#undef ALU_R
};

typedef uint32_t U32;
typedef uint64_t U64;
typedef int32_t I32;
typedef int64_t I64;
typedef float F32;
typedef double F64;

#define ALU_ALL_LANES 0xffffffffu

// Lanes do not depend on each other: a destination slot is a source slot itself or does not overlap it.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"  // some loops stay scalar, as they do without optimization
#define ALU_FOR_LANES _Pragma("clang loop vectorize(assume_safety) interleave(enable)") for (int i = 0; i < 32; i++)
#else
#define ALU_FOR_LANES _Pragma("GCC ivdep") for (int i = 0; i < 32; i++)
#endif

#define ALU_SLOT(T, offset) ((T *)__builtin_assume_aligned(regs + (offset), 64))

static inline uint32_t alu_bits32(float x) { uint32_t u; __builtin_memcpy(&u, &x, 4); return u; }
static inline float alu_f32(uint32_t u) { float x; __builtin_memcpy(&x, &u, 4); return x; }
static inline uint64_t alu_bits64(double x) { uint64_t u; __builtin_memcpy(&u, &x, 8); return u; }
static inline double alu_f64(uint64_t u) { double x; __builtin_memcpy(&x, &u, 8); return x; }

// .ftz: a subnormal number becomes the zero of its sign.
static inline uint32_t alu_ftz_bits(uint32_t a) { return a & 0x7f800000 ? a : a & 0x80000000; }
static inline float alu_ftz(float x) { return alu_f32(alu_ftz_bits(alu_bits32(x))); }

// Upper halves of products.
static inline U32 alu_hi_u32(U32 a, U32 b) { return (U32)((U64)a * b >> 32); }
static inline U32 alu_hi_s32(I32 a, I32 b) { return (U32)((I64)a * b >> 32); }
static inline U64 alu_hi_u64(U64 a, U64 b) { return (U64)((unsigned __int128)a * b >> 64); }
static inline U64 alu_hi_s64(I64 a, I64 b) { return (U64)((__int128)a * b >> 64); }

// As many bytes as one store of this instruction set has: what is put by in such pieces can be taken up again at once.
#if defined(__AVX512F__)
enum { ALU_PIECE = 64 };
#elif defined(__AVX2__)
enum { ALU_PIECE = 32 };
#else
enum { ALU_PIECE = 16 };
#endif
typedef uint32_t AluPiece __attribute__((vector_size(ALU_PIECE), may_alias));
typedef uint32_t AluLoosePiece __attribute__((vector_size(ALU_PIECE), may_alias, aligned(1)));   // anywhere in memory

// Or it becomes the compiler's own way to copy.
#if defined(__clang__)
#define ALU_UNROLLED _Pragma("clang loop unroll(full)")
#else
#define ALU_UNROLLED _Pragma("GCC unroll 16")
#endif

// Words between a register and memory. In pieces, for what comes next takes up such pieces: the compiler's own way to
// copy has smaller ones, of which a processor cannot make a larger one before they have all come to its cache.
static inline void alu_copy_to_register(void *reg, const void *from, int bytes) {
  AluPiece *to = (AluPiece *)__builtin_assume_aligned(reg, ALU_PIECE);
  ALU_UNROLLED
  for (int i = 0; i < bytes / ALU_PIECE; i++) to[i] = ((const AluLoosePiece *)from)[i];
}
static inline void alu_copy_from_register(void *to, const void *reg, int bytes) {
  const AluPiece *from = (const AluPiece *)__builtin_assume_aligned(reg, ALU_PIECE);
  ALU_UNROLLED
  for (int i = 0; i < bytes / ALU_PIECE; i++) ((AluLoosePiece *)to)[i] = from[i];
}

// Runs an operation for the lanes in mask: it computes all of them aside, and those in the mask are kept.
typedef void (*AluLoop)(uint8_t *regs, const SimOp *op, uint32_t mask, void *to);
#define ALU_PARTIAL(bits, T)                                                                                    \
  __attribute__((noinline, unused))                                                                             \
  static void alu_partial##bits(uint8_t *regs, const SimOp *op, uint32_t mask, AluLoop loop) {                  \
    AluPiece aside[32 * sizeof(T) / ALU_PIECE];                                                                 \
    const T *const lanes = (const T *)aside;                                                                    \
    loop(regs, op, mask, aside);                                                                                \
    T *const d = ALU_SLOT(T, op->d);                                                                            \
    ALU_FOR_LANES d[i] = mask & alu_bit##bits[i] ? lanes[i] : d[i];                                             \
  }
ALU_PARTIAL(32, uint32_t)
ALU_PARTIAL(64, uint64_t)
#undef ALU_PARTIAL
static inline void alu_write_pred(uint8_t *regs, uint32_t offset, uint32_t value, uint32_t mask) {
  uint32_t *p = (uint32_t *)(void *)(regs + offset);
  *p = (*p & ~mask) | (value & mask);
}
static inline uint32_t alu_read_pred(const uint8_t *regs, uint32_t offset) {
  return *(const uint32_t *)(const void *)(regs + offset);
}
// The comparison of setp or set, combined with the predicate that the instruction may name.
static inline uint32_t alu_combine(const uint8_t *regs, const SimOp *op, uint32_t r) {
  if (op->boolop == PTX_BOOL_NONE) return r;
  const uint32_t c = alu_read_pred(regs, op->c) ^ (op->negate_c ? ~0u : 0u);
  return op->boolop == PTX_BOOL_AND ? r & c : op->boolop == PTX_BOOL_OR ? r | c : r ^ c;
}

// What setp does with its comparison: p and, where the instruction names it, q. Most name p alone.
__attribute__((noinline, unused))
static void alu_write_combined(uint8_t *regs, const SimOp *op, uint32_t r, uint32_t mask) {
  const uint32_t p = alu_combine(regs, op, r), q = alu_combine(regs, op, ~r);
  alu_write_pred(regs, op->d, p, mask);
  if (op->d2 && op->d2 != SIM_NO_SLOT) alu_write_pred(regs, op->d2, q, mask);
}
static inline void alu_write_compared(uint8_t *regs, const SimOp *op, uint32_t r, uint32_t mask) {
  if (op->boolop == PTX_BOOL_NONE && (!op->d2 || op->d2 == SIM_NO_SLOT)) alu_write_pred(regs, op->d, r, mask);
  else alu_write_combined(regs, op, r, mask);
}

// The loop over the lanes of an operation, and the operation.
#define ALU_LOOP_OF(name, D, ...)                                                 \
  __attribute__((noinline))                                                       \
  static void name##_loop(uint8_t *regs, const SimOp *op, uint32_t mask, void *to) { \
    D *const d = (D *)__builtin_assume_aligned(to, ALU_PIECE);                    \
    (void)mask;                                                                   \
    __VA_ARGS__                                                                   \
  }                                                                               \
  static void name(uint8_t *regs, const SimOp *op, uint32_t mask) {               \
    if (mask == ALU_ALL_LANES) name##_loop(regs, op, mask, regs + op->d);         \
    else (sizeof(D) == 8 ? alu_partial64 : alu_partial32)(regs, op, mask, name##_loop); \
  }
// One that takes less time than putting its results aside: it has a loop of its own for some lanes.
#define ALU_QUICK(name, D, sources, operands, value)                              \
  static void name(uint8_t *regs, const SimOp *op, uint32_t mask) {               \
    D *const d = ALU_SLOT(D, op->d);                                              \
    sources                                                                       \
    if (mask == ALU_ALL_LANES) {                                                  \
      ALU_FOR_LANES { operands d[i] = value; }                                    \
    } else if (sizeof(D) == 8) {                                                  \
      ALU_FOR_LANES { operands d[i] = mask & alu_bit64[i] ? value : d[i]; }       \
    } else {                                                                      \
      ALU_FOR_LANES { operands d[i] = mask & alu_bit32[i] ? value : d[i]; }       \
    }                                                                             \
  }

#define ALU_SOURCE(T, x) const T *const p##x = ALU_SLOT(const T, op->x);
#define ALU_SOURCES1(A) ALU_SOURCE(A, a)
#define ALU_SOURCES2(A, B) ALU_SOURCE(A, a) ALU_SOURCE(B, b)
#define ALU_SOURCES3(A, B, C) ALU_SOURCES2(A, B) ALU_SOURCE(C, c)
#define ALU_SOURCES4(A, B, C, E) ALU_SOURCES3(A, B, C) ALU_SOURCE(E, e)
#define ALU_OPERANDS1(A) const A a = pa[i];
#define ALU_OPERANDS2(A, B) ALU_OPERANDS1(A) const B b = pb[i];
#define ALU_OPERANDS3(A, B, C) ALU_OPERANDS2(A, B) const C c = pc[i];
#define ALU_OPERANDS4(A, B, C, E) ALU_OPERANDS3(A, B, C) const E e = pe[i];
#define ALU_LANE(n, name, D, expression, ...)                   \
  ALU_LOOP_OF(name, D, ALU_SOURCES##n(__VA_ARGS__)              \
              ALU_FOR_LANES { ALU_OPERANDS##n(__VA_ARGS__) d[i] = (D)(expression); })
#define ALU_LANE1(name, D, A, expression) ALU_LANE(1, name, D, expression, A)
#define ALU_LANE2(name, D, A, B, expression) ALU_LANE(2, name, D, expression, A, B)
#define ALU_LANE3(name, D, A, B, C, expression) ALU_LANE(3, name, D, expression, A, B, C)
#define ALU_LANE4(name, D, A, B, C, E, expression) ALU_LANE(4, name, D, expression, A, B, C, E)
#define ALU_QUICK1(name, D, A, expression) ALU_QUICK(name, D, ALU_SOURCES1(A), ALU_OPERANDS1(A), (D)(expression))
#define ALU_QUICK2(name, D, A, B, expression) \
  ALU_QUICK(name, D, ALU_SOURCES2(A, B), ALU_OPERANDS2(A, B), (D)(expression))
#define ALU_QUICK3(name, D, A, B, C, expression) \
  ALU_QUICK(name, D, ALU_SOURCES3(A, B, C), ALU_OPERANDS3(A, B, C), (D)(expression))
// A choice by predicate c: `on` is nonzero where it is set.
#define ALU_SELECT(name, D, bits)                                                 \
  ALU_QUICK(name, D, ALU_SOURCES2(D, D)                                           \
            const D chosen = alu_read_pred(regs, op->c) ^ (op->negate_c ? ~0u : 0u);, , \
            (chosen & bits[i]) ? pa[i] : pb[i])
// A predicate from one source.
#define ALU_TEST1(name, A, W, bits, expression)                                   \
  static void name(uint8_t *regs, const SimOp *op, uint32_t mask) {               \
    const A *const pa = ALU_SLOT(const A, op->a);                                 \
    W r = 0;                                                                      \
    ALU_FOR_LANES { const A a = pa[i]; r |= (expression) ? bits[i] : 0; }         \
    alu_write_pred(regs, op->d, (uint32_t)r, mask);                               \
  }
// A predicate from the comparison of two sources, and the one of the comparison's opposite.
#define ALU_COMPARE(name, A, W, bits, expression)                                 \
  static void name(uint8_t *regs, const SimOp *op, uint32_t mask) {               \
    const A *const pa = ALU_SLOT(const A, op->a);                                 \
    const A *const pb = ALU_SLOT(const A, op->b);                                 \
    W r = 0;                                                                      \
    ALU_FOR_LANES { const A a = pa[i]; const A b = pb[i]; r |= (expression) ? bits[i] : 0; } \
    alu_write_compared(regs, op, (uint32_t)r, mask);                              \
  }
// Predicate registers themselves.
#define ALU_PRED(name, expression)                                                \
  static void name(uint8_t *regs, const SimOp *op, uint32_t mask) {               \
    const uint32_t a = alu_read_pred(regs, op->a), b = alu_read_pred(regs, op->b); \
    (void)b;                                                                      \
    alu_write_pred(regs, op->d, (expression), mask);                              \
  }

#endif
