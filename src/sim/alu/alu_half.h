// alu_half.h: f16 and bf16 arithmetic of one value.
//
// Sums and products are made in f32 and rounded again. That is the same as rounding once: f32 has more than twice the
// significand of either format and two bits more. The sum of an fma is rounded to odd first, which keeps it true that
// something was cut off.
#ifndef LS_SIM_ALU_HALF_H
#define LS_SIM_ALU_HALF_H

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

// x + y as an f64 whose lowest bit is 1 where it is not exact.
static inline F64 sum_to_odd(F64 x, F64 y) {
  const F64 s = x + y, part = s - x, error = (x - (s - part)) + (y - part);
  const U64 bits = alu_bits64(s);
  const U64 away = (error > 0) == (s > 0) ? bits + 1 : bits - 1;
  const int inexact = error > 0 || error < 0;
  return alu_f64(inexact && !(bits & 1) ? away : bits);
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
// The sum is cut to the 24 bits of an f32, its lowest bit still odd. Below 2^-126 an f32 has too few bits for that:
// adding and taking away 2^52 times the least bf16 rounds it there.
static inline U32 bfloat_fma(U32 a, U32 b, U32 c) {
  const F64 product = (F64)alu_bfloat_value(a) * (F64)alu_bfloat_value(b), many_least = 0x1.8p-81;
  const U64 bits = alu_bits64(sum_to_odd(product, (F64)alu_bfloat_value(c))), size = bits & 0x7fffffffffffffff;
  const F64 cut = alu_f64((size & ~0x1fffffffull) | (size & 0x1fffffff ? 0x20000000 : 0));
  const F64 tiny = (alu_f64(size) + many_least) - many_least;
  const U32 single = alu_bits32((F32)(alu_f64(size) < 0x1p-126 ? tiny : cut));
  return alu_bfloat_of(alu_f32(single | (U32)(bits >> 32 & 0x80000000)));
}

#endif
