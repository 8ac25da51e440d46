// alu_half.c: f16 and bf16 arithmetic on 32 lanes. The operations themselves are in alu_half.def.
//
// Sums and products are made in f32 and rounded again. That is the same as rounding once: f32 has more than twice the
// significand of either format and two bits more. The sum of an fma is rounded to odd first, which keeps it true that
// something was cut off.
#include "sim/alu/alu_halves.h"
#include "sim/alu/alu_soft.h"

static inline U32 half_canon(U32 h) { return (h & 0x7fff) > 0x7c00 ? 0x7fff : h; }
static inline U32 bfloat_canon(U32 h) { return (h & 0x7fff) > 0x7f80 ? 0x7fff : h; }

static inline U32 half_add(U32 a, U32 b) { return alu_half_of(alu_half_value(a) + alu_half_value(b)); }
static inline U32 half_sub(U32 a, U32 b) { return alu_half_of(alu_half_value(a) - alu_half_value(b)); }
static inline U32 half_mul(U32 a, U32 b) { return alu_half_of(alu_half_value(a) * alu_half_value(b)); }
static inline U32 bfloat_add(U32 a, U32 b) { return alu_bfloat_of(alu_bfloat_value(a) + alu_bfloat_value(b)); }
static inline U32 bfloat_sub(U32 a, U32 b) { return alu_bfloat_of(alu_bfloat_value(a) - alu_bfloat_value(b)); }
static inline U32 bfloat_mul(U32 a, U32 b) { return alu_bfloat_of(alu_bfloat_value(a) * alu_bfloat_value(b)); }
static inline U32 half_abs(U32 a) { return half_canon(a & 0x7fff); }
static inline U32 half_neg(U32 a) { return half_canon(a ^ 0x8000); }
static inline U32 bfloat_abs(U32 a) { return bfloat_canon(a & 0x7fff); }
static inline U32 bfloat_neg(U32 a) { return bfloat_canon(a ^ 0x8000); }

// Both formats order like signed integers once negative ones are turned round; -0 is below +0.
static inline I32 order(U32 h) { return h & 0x8000 ? -(I32)(h & 0x7fff) - 1 : (I32)h; }
static inline U32 number_of(U32 a, U32 b, U32 chosen, U32 inf) {
  const U32 other = (b & 0x7fff) > inf ? a : chosen;
  const U32 both = (b & 0x7fff) > inf ? 0x7fff : b;
  return (a & 0x7fff) > inf ? both : other;
}
static inline U32 half_min(U32 a, U32 b) { return number_of(a, b, order(a) < order(b) ? a : b, 0x7c00); }
static inline U32 half_max(U32 a, U32 b) { return number_of(a, b, order(a) > order(b) ? a : b, 0x7c00); }
static inline U32 bfloat_min(U32 a, U32 b) { return number_of(a, b, order(a) < order(b) ? a : b, 0x7f80); }
static inline U32 bfloat_max(U32 a, U32 b) { return number_of(a, b, order(a) > order(b) ? a : b, 0x7f80); }

// x + y as an f64 whose lowest bit is 1 where it is not exact, then the same cut to the 24 bits of an f32.
static inline F64 sum_to_odd(F64 x, F64 y) {
  const F64 s = x + y, part = s - x, error = (x - (s - part)) + (y - part);
  const U64 bits = alu_bits64(s);
  const U64 away = (error > 0) == (s > 0) ? bits + 1 : bits - 1;
  const int inexact = error > 0 || error < 0;
  const U64 odd = inexact && !(bits & 1) ? away : bits;
  const U64 cut = (odd & ~0x1fffffffull) | (odd & 0x1fffffff ? 0x20000000 : 0);
  return s == s ? alu_f64(cut) : s;
}
// The same within f32, which holds the product of two f16 and has bits to spare for the sum.
static inline F32 sum_to_odd_f32(F32 x, F32 y) {
  const F32 s = x + y, part = s - x, error = (x - (s - part)) + (y - part);
  const U32 bits = alu_bits32(s);
  const U32 away = (error > 0) == (s > 0) ? bits + 1 : bits - 1;
  const int inexact = error > 0 || error < 0;
  return alu_f32(inexact && !(bits & 1) ? away : bits);
}
static inline U32 half_fma(U32 a, U32 b, U32 c) {
  return alu_half_of(sum_to_odd_f32(alu_half_value(a) * alu_half_value(b), alu_half_value(c)));
}
static inline U32 bfloat_fma(U32 a, U32 b, U32 c) {
  const F64 product = (F64)alu_bfloat_value(a) * (F64)alu_bfloat_value(b);
  const F64 s = sum_to_odd(product, (F64)alu_bfloat_value(c)), tiny = 0x1p-120;
  // Down there an f32 has too few bits itself.
  if (s > -tiny && s < tiny && s != 0) return (U32)soft_fma(&soft_bf16, a, b, c, PTX_RN);
  return alu_bfloat_of((F32)s);
}

// An operation with modifiers.
typedef U32 (*Function2)(U32, U32);
typedef U32 (*Function3)(U32, U32, U32);
static inline U32 before(const SimOp *op, const SoftFormat *f, U32 a) {
  return op->flags & PTX_F_FTZ ? (U32)soft_flush(f, a) : a;
}
static U32 after(const SimOp *op, const SoftFormat *f, U32 r) {
  if (op->flags & PTX_F_SAT) r = (U32)soft_saturate(f, r);
  if (op->flags & PTX_F_RELU) r = (U32)soft_relu(f, r);
  return before(op, f, r);
}
// .ftz flushes what is below 2^-14 as if exponents had no end, also where it rounds up to it for lack of smaller
// numbers.
static inline U32 unless_tiny(const SimOp *op, U32 r, F64 exact) {
  const int tiny = exact > -0x1.ffep-15 && exact < 0x1.ffep-15;
  return op->flags & PTX_F_FTZ && (r & 0x7fff) == 0x0400 && tiny ? r & 0x8000 : r;
}
static inline F64 half_product(U32 a, U32 b) { return (F64)alu_half_value(a) * (F64)alu_half_value(b); }
static inline U32 modified1(const SimOp *op, U32 a, U32 (*function)(U32)) {
  return function(before(op, soft_format((PtxType)op->type), a));
}
static inline U32 modified2(const SimOp *op, U32 a, U32 b, Function2 function) {
  const SoftFormat *const f = soft_format((PtxType)op->type);
  a = before(op, f, a), b = before(op, f, b);
  if (op->flags & PTX_F_NAN && (soft_is_nan(f, a) || soft_is_nan(f, b))) return 0x7fff;
  if (function == half_mul) return after(op, f, unless_tiny(op, half_mul(a, b), half_product(a, b)));
  if (!(op->flags & PTX_F_XORSIGN)) return after(op, f, function(a, b));
  const U32 r = after(op, f, function(a & 0x7fff, b & 0x7fff));
  return soft_is_nan(f, r) ? r : r | ((a ^ b) & 0x8000);
}
static inline U32 modified3(const SimOp *op, U32 a, U32 b, U32 c, Function3 function) {
  const SoftFormat *const f = soft_format((PtxType)op->type);
  a = before(op, f, a), b = before(op, f, b), c = before(op, f, c);
  const U32 r = function(a, b, c);
  return after(op, f, function == half_fma ? unless_tiny(op, r, half_product(a, b) + (F64)alu_half_value(c)) : r);
}

#define LANE1(name, D, A, expression, ...) ALU_LANE1(name, D, A, expression)
#define LANE2(name, D, A, B, expression, ...) ALU_LANE2(name, D, A, B, expression)
#define LANE3(name, D, A, B, C, expression, ...) ALU_LANE3(name, D, A, B, C, expression)
#include "sim/alu/alu_half.def"
#undef LANE1
#undef LANE2
#undef LANE3

#define LANE1(name, D, A, expression, ...) {__VA_ARGS__, .sources = 1, .run = name},
#define LANE2(name, D, A, B, expression, ...) {__VA_ARGS__, .sources = 2, .run = name},
#define LANE3(name, D, A, B, C, expression, ...) {__VA_ARGS__, .sources = 3, .run = name},
static const AluRow rows[] = {
#include "sim/alu/alu_half.def"
};

extern const AluTable ALU_NAME(alu_half);
const AluTable ALU_NAME(alu_half) = {rows, sizeof rows / sizeof rows[0]};
