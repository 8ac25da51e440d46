// alu_approx.c: the approximate functions on 32 lanes. The operations themselves are in alu_approx.def.
//
// Made of IEEE additions, multiplications, divisions and roots in f64 alone, in a fixed order: the same bits everywhere.
// Polynomials are the Taylor series over a reduced range, long enough that an f32 result is nearly always the nearest.
#include "sim/alu/alu_halves.h"

static inline F32 canon(F32 r) { return r == r ? r : alu_f32(0x7fffffff); }
static inline F32 ftz(F32 x) {
  const U32 bits = alu_bits32(x);
  return alu_f32(bits & 0x7f800000 ? bits : bits & 0x80000000);
}

static inline F32 reciprocal(F32 x) { return canon(1 / x); }
static inline F32 square_root(F32 x) { return canon(__builtin_sqrtf(x)); }
static inline F32 reciprocal_root(F32 x) { return canon((F32)(1 / __builtin_sqrt((F64)x))); }

// The device multiplies by a reciprocal, which it takes as zero where that is subnormal: for |b| above 2^126.
static inline F32 quotient_approx(F32 a, F32 b) {
  const F32 signed_zero = alu_f32(alu_bits32(b) & 0x80000000);
  const U32 magnitude = alu_bits32(b) & 0x7fffffff;
  const int is_huge = magnitude > 0x7e800000 && magnitude <= 0x7f800000;
  return canon(is_huge ? a * signed_zero : a / b);
}

// The nearest integer of a value below 2^51.
static inline F64 nearest_of(F64 x) {
  const F64 magic = 6755399441055744.0;
  return (x + magic) - magic;
}

static inline F64 size_of(F64 x) { return alu_f64(alu_bits64(x) & 0x7fffffffffffffff); }
static inline F64 part_of_turn(F64 t) {
  const F64 part = t - nearest_of(t);
  return size_of(t) < 1e15 ? part : 0;
}

// sin(2 pi t). Whole turns drop out exactly; of the rest, the half circle beyond a quarter is folded back.
static inline F64 sine_of_turns(F64 t) {
  const F64 part = part_of_turn(t), back = (part < 0 ? -0.5 : 0.5) - part;
  const F64 r = size_of(part) > 0.25 ? back : part, z = r * 6.283185307179586, q = z * z;
  F64 p = 1 / 355687428096000.0;
  p = p * q - 1 / 1307674368000.0;
  p = p * q + 1 / 6227020800.0;
  p = p * q - 1 / 39916800.0;
  p = p * q + 1 / 362880.0;
  p = p * q - 1 / 5040.0;
  p = p * q + 1 / 120.0;
  p = p * q - 1 / 6.0;
  return z + z * q * p;
}
// The device measures the angle in turns, as an f32 rounded toward zero, before anything else: that is where large
// angles lose their sense. The product of two f32 is exact in an f64; 29 bits of it are cut off.
static inline F64 turns(F32 x) {
  const F64 cut = alu_f64(alu_bits64((F64)x * (F64)0.15915494f) & ~0x1fffffffull);
  return size_of(cut) < 0x1p-126 ? 0 : cut;
}
static inline int is_finite(F32 x) { return (alu_bits32(x) & 0x7f800000) != 0x7f800000; }
static inline F32 sine(F32 x) {
  const F32 r = (F32)sine_of_turns(turns(x)), signed_zero = alu_f32(alu_bits32(x) & 0x80000000);
  const F32 some = r == 0 ? signed_zero : r;
  return is_finite(x) ? some : alu_f32(0x7fffffff);
}
static inline F32 cosine(F32 x) {
  const F32 r = (F32)sine_of_turns(part_of_turn(turns(x)) + 0.25);
  return is_finite(x) ? r : alu_f32(0x7fffffff);
}

// 2^x: the integer part makes the exponent field of an f64.
static inline F64 power_of_two(F64 x) {
  const F64 inside = x < -200 ? -200 : x > 200 ? 200 : x, whole = nearest_of(inside);
  const F64 z = (inside - whole) * 0.6931471805599453;
  F64 p = 1 / 3628800.0;
  p = p * z + 1 / 362880.0;
  p = p * z + 1 / 40320.0;
  p = p * z + 1 / 5040.0;
  p = p * z + 1 / 720.0;
  p = p * z + 1 / 120.0;
  p = p * z + 1 / 24.0;
  p = p * z + 1 / 6.0;
  p = p * z + 0.5;
  p = p * z + 1;
  p = p * z + 1;
  // whole + 1023 in the low bits of a double of 2^52 and more.
  const U64 exponent = alu_bits64(whole + (4503599627370496.0 + 1023)) & 0x7ff;
  return p * alu_f64(exponent << 52);
}
static inline F32 exponential(F32 x) { return x == x ? (F32)power_of_two(x) : alu_f32(0x7fffffff); }

// x = m * 2^e with m around 1; log2(m) = 2 / ln 2 * atanh((m - 1) / (m + 1)).
static inline F32 logarithm(F32 x) {
  const U64 bits = alu_bits64((F64)x), shifted = bits - 0x3fe6a09e667f3bcd;
  const U64 e_bits = (shifted >> 52 & 0xfff) ^ 0x800;
  const F64 e = alu_f64(0x4330000000000000 | e_bits) - (4503599627370496.0 + 2048);
  const F64 m = alu_f64(bits - (shifted & 0xfff0000000000000)), s = (m - 1) / (m + 1), q = s * s;
  F64 p = 1 / 15.0;
  p = p * q + 1 / 13.0;
  p = p * q + 1 / 11.0;
  p = p * q + 1 / 9.0;
  p = p * q + 1 / 7.0;
  p = p * q + 1 / 5.0;
  p = p * q + 1 / 3.0;
  p = p * q + 1;
  const F32 r = (F32)(e + s * p * 2.8853900817779268), inf = alu_f32(0x7f800000);
  const F32 positive = x == inf ? inf : r, not_negative = x == 0 ? -inf : positive;
  return x >= 0 ? not_negative : alu_f32(0x7fffffff);
}

// tanh x = 1 - 2 / (e^2x + 1), but for small x, where that cancels.
static inline F32 tangent(F32 x) {
  const F64 y = x, size = y < 0 ? -y : y;
  const F64 far = 1 - 2 / (power_of_two((size > 20 ? 20 : size) * 2.8853900817779268) + 1);
  const F64 near = size - size * size * size / 3;
  const F64 r = size < 0.001 ? near : far;
  return x == x ? (F32)(y < 0 ? -r : size == 0 ? y : r) : alu_f32(0x7fffffff);
}

// The device looks at the upper word of an f64 alone, and gives one.
static inline U64 upper_word(U64 bits) { return (bits + 0x80000000) & 0xffffffff00000000; }
static inline U64 rough_flush(U64 a) {
  return a & (a & 0x7ff0000000000000 ? 0xffffffff00000000 : 0x8000000000000000);
}
static inline U64 rough_result(F64 r) {
  const U64 bits = alu_bits64(r);
  const U64 flushed = bits & 0x7ff0000000000000 ? upper_word(bits) : bits & 0x8000000000000000;
  return r == r ? flushed : 0x7fffffff00000000;
}
static inline U64 rough_reciprocal(U64 a) { return rough_result(1 / alu_f64(rough_flush(a))); }
static inline U64 rough_reciprocal_root(U64 a) { return rough_result(1 / __builtin_sqrt(alu_f64(rough_flush(a)))); }

// One Newton step beyond the rounded result, with the error of the product seen by fma.
static inline F64 reciprocal_root_f64(F64 a) {
  const F64 y = 1 / __builtin_sqrt(a), product = a * y, lost = __builtin_fma(a, y, -product);
  const F64 error = __builtin_fma(-product, y, 1) - lost * y, better = y + 0.5 * y * error;
  const F64 r = a > 0 && a - a == 0 ? better : y;
  const U64 nan = a != a ? alu_bits64(a) | 0x0008000000000000 : 0xfff8000000000000;
  return r == r ? r : alu_f64(nan);
}

#define half(function, h) alu_half_of(function(alu_half_value(h)))
#define bfloat(function, h) alu_bfloat_of(function(alu_bfloat_value(h)))

#define LANE1(name, D, A, expression, ...) ALU_LANE1(name, D, A, expression)
#define LANE2(name, D, A, B, expression, ...) ALU_LANE2(name, D, A, B, expression)
#include "sim/alu/alu_approx.def"
#undef LANE1
#undef LANE2

#define LANE1(name, D, A, expression, ...) {__VA_ARGS__, .sources = 1, .run = name},
#define LANE2(name, D, A, B, expression, ...) {__VA_ARGS__, .sources = 2, .run = name},
static const AluRow rows[] = {
#include "sim/alu/alu_approx.def"
};

extern const AluTable ALU_NAME(alu_approx);
const AluTable ALU_NAME(alu_approx) = {rows, sizeof rows / sizeof rows[0]};
