// alu_lanes.h: how the operations of alu.h are written: one line each in a .def file, which is read twice.
//
//   LANE2(name, D, A, B, expression, key...)
//
// makes a function `name` that computes `expression` from a (an A) and b (a B) on 32 lanes, and a row of the table that
// says which instructions it is for. The key is a list of designated initializers of AluRow.
//
// The sources that include this are compiled once per instruction set (ALU_ISA is part of every outside name). The
// loops have no branches on the mask, so that the compiler makes vector code of them: an instruction with lanes
// switched off computes all lanes aside and then keeps those in the mask.
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

// Bit i of lane i, for predicates.
extern const uint32_t alu_bit32[32];
extern const uint64_t alu_bit64[32];

// Copies the lanes in mask.
#define ALU_KEEP(bits, T)                                                                        \
  __attribute__((noinline, unused)) static void alu_keep##bits(T *slot, const T *lanes, uint32_t mask) { \
    ALU_FOR_LANES slot[i] = mask & alu_bit##bits[i] ? lanes[i] : slot[i];                        \
  }
ALU_KEEP(32, uint32_t)
ALU_KEEP(64, uint64_t)
#undef ALU_KEEP
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

#define ALU_BEGIN(name, D)                                                        \
  static void name(uint8_t *regs, const SimOp *op, uint32_t mask) {               \
    _Alignas(64) D aside[32];                                                     \
    D *const d = mask == ALU_ALL_LANES ? ALU_SLOT(D, op->d) : aside;
#define ALU_END(D)                                                                \
    if (mask != ALU_ALL_LANES) {                                                  \
      if (sizeof(D) == 8) alu_keep64((uint64_t *)ALU_SLOT(D, op->d), (const uint64_t *)aside, mask); \
      else alu_keep32((uint32_t *)ALU_SLOT(D, op->d), (const uint32_t *)aside, mask); \
    }                                                                             \
  }

#define ALU_LANE1(name, D, A, expression)                                         \
  ALU_BEGIN(name, D)                                                              \
  const A *const pa = ALU_SLOT(const A, op->a);                                   \
  ALU_FOR_LANES { const A a = pa[i]; d[i] = (D)(expression); }                    \
  ALU_END(D)
#define ALU_LANE2(name, D, A, B, expression)                                      \
  ALU_BEGIN(name, D)                                                              \
  const A *const pa = ALU_SLOT(const A, op->a);                                   \
  const B *const pb = ALU_SLOT(const B, op->b);                                   \
  ALU_FOR_LANES { const A a = pa[i]; const B b = pb[i]; d[i] = (D)(expression); } \
  ALU_END(D)
#define ALU_LANE3(name, D, A, B, C, expression)                                   \
  ALU_BEGIN(name, D)                                                              \
  const A *const pa = ALU_SLOT(const A, op->a);                                   \
  const B *const pb = ALU_SLOT(const B, op->b);                                   \
  const C *const pc = ALU_SLOT(const C, op->c);                                   \
  ALU_FOR_LANES { const A a = pa[i]; const B b = pb[i]; const C c = pc[i]; d[i] = (D)(expression); } \
  ALU_END(D)
#define ALU_LANE4(name, D, A, B, C, E, expression)                                \
  ALU_BEGIN(name, D)                                                              \
  const A *const pa = ALU_SLOT(const A, op->a);                                   \
  const B *const pb = ALU_SLOT(const B, op->b);                                   \
  const C *const pc = ALU_SLOT(const C, op->c);                                   \
  const E *const pe = ALU_SLOT(const E, op->e);                                   \
  ALU_FOR_LANES { const A a = pa[i]; const B b = pb[i]; const C c = pc[i]; const E e = pe[i]; d[i] = (D)(expression); } \
  ALU_END(D)
// A choice by predicate c: `on` is nonzero where it is set.
#define ALU_SELECT(name, D, bits)                                                 \
  ALU_BEGIN(name, D)                                                              \
  const D *const pa = ALU_SLOT(const D, op->a);                                   \
  const D *const pb = ALU_SLOT(const D, op->b);                                   \
  const D chosen = alu_read_pred(regs, op->c) ^ (op->negate_c ? ~0u : 0u);        \
  ALU_FOR_LANES d[i] = (chosen & bits[i]) ? pa[i] : pb[i];                        \
  ALU_END(D)
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
    const uint32_t p = alu_combine(regs, op, (uint32_t)r), q = alu_combine(regs, op, ~(uint32_t)r); \
    alu_write_pred(regs, op->d, p, mask);                                         \
    if (op->d2 && op->d2 != SIM_NO_SLOT) alu_write_pred(regs, op->d2, q, mask);   \
  }
// Predicate registers themselves.
#define ALU_PRED(name, expression)                                                \
  static void name(uint8_t *regs, const SimOp *op, uint32_t mask) {               \
    const uint32_t a = alu_read_pred(regs, op->a), b = alu_read_pred(regs, op->b); \
    (void)b;                                                                      \
    alu_write_pred(regs, op->d, (expression), mask);                              \
  }

#endif
