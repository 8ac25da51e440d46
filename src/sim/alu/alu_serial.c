// alu_serial.c: integer operations that go lane by lane on any processor: carries, 64-bit quotients, fns. The
// operations themselves are in alu_serial.def.
#include "sim/alu/alu_lanes.h"

static inline I64 quotient_s64(I64 a, I64 b) {
  if (b == 0) return -1;
  return b == -1 ? (I64)(0u - (U64)a) : a / b;
}
static inline I64 remainder_s64(I64 a, I64 b) {
  if (b == 0) return -1;
  return b == -1 ? 0 : a % b;
}

// PTX ISA, fns: the offset-th set bit at or above base, or, for a negative offset, at or below it; all ones if none.
static inline U32 nth_set(U32 mask, U32 base, I32 offset) {
  if (base > 31) return ~0u;
  if (offset == 0) return mask >> base & 1 ? base : ~0u;
  const int step = offset > 0 ? 1 : -1;
  for (int pos = (int)base; pos >= 0 && pos < 32; pos += step) {
    if (!(mask >> pos & 1)) continue;
    offset -= step;
    if (offset == 0) return (U32)pos;
  }
  return ~0u;
}

// Sums and differences with the carry flag, which is the carry out of the adder. A difference is a + ~b + 1, or has the
// flag in place of the 1: the flag is set when nothing was borrowed. PTX ISA 9.7.2 leaves that open; sequences that
// mix sums and differences show it.
#define SUM_CARRIES(x, y, sum, in) ((sum) < (x) || ((in) && (sum) == (x)))
// What goes into the adder, of all lanes.
#define IN_ZERO 0
#define IN_ONE ~0u
#define IN_FLAG alu_read_pred(regs, op->e)

// The flag is only written when the instruction says .cc, and for the lanes in the mask.
#define BITS_U32 alu_bit32
#define BITS_U64 alu_bit64
#define ALU_CARRY(name, T, in_lanes, first, second)                                         \
  ALU_LOOP_OF(name, T,                                                                      \
  const T *const pa = ALU_SLOT(const T, op->a);                                             \
  const T *const pb = ALU_SLOT(const T, op->b);                                             \
  const T *const pc = op->c ? ALU_SLOT(const T, op->c) : pb;                                \
  const T in_mask = in_lanes;                                                               \
  T out = 0;                                                                                \
  ALU_FOR_LANES {                                                                           \
    const T a = pa[i], b = pb[i], c = pc[i], in = (in_mask & BITS_##T[i]) != 0;             \
    const T x = (first), y = (second), sum = x + y + in;                                    \
    (void)a, (void)b, (void)c;                                                              \
    out |= SUM_CARRIES(x, y, sum, in) ? BITS_##T[i] : 0;                                    \
    d[i] = sum;                                                                             \
  }                                                                                         \
  if (op->flags & PTX_F_CC) alu_write_pred(regs, op->d2, (U32)out, mask);)

#define LANE2(name, D, A, B, expression, ...) ALU_LANE2(name, D, A, B, expression)
#define LANE3(name, D, A, B, C, expression, ...) ALU_LANE3(name, D, A, B, C, expression)
#define CARRY(name, T, in_lanes, first, second, ...) ALU_CARRY(name, T, in_lanes, first, second)
#include "sim/alu/alu_serial.def"
#undef LANE2
#undef LANE3
#undef CARRY

#define LANE2(name, D, A, B, expression, ...) {__VA_ARGS__, .sources = 2, .run = name},
#define LANE3(name, D, A, B, C, expression, ...) {__VA_ARGS__, .sources = 3, .run = name},
#define CARRY(name, T, in_lanes, first, second, ...) {__VA_ARGS__, .run = name},
static const AluRow rows[] = {
#include "sim/alu/alu_serial.def"
};

extern const AluTable ALU_NAME(alu_serial);
const AluTable ALU_NAME(alu_serial) = {rows, sizeof rows / sizeof rows[0]};
