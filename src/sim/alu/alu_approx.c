// alu_approx.c: the approximate functions on 32 lanes. The operations themselves are in alu_approx.def.
//
// Each is what an H200's assembler makes of it: the special function unit (alu_special.h), and around it the scaling
// that keeps subnormal values in its range. Without .ftz an argument is multiplied before, and the result after; all of
// that is IEEE arithmetic in a fixed order: the same bits everywhere.
#include "sim/alu/alu_halves.h"
#include "sim/alu/alu_special.h"

enum { NAN32 = 0x7fffffff, INF32 = 0x7f800000, LEAST_NORMAL32 = 0x00800000, SIGN_OFF = 0x7fffffff };
static const U32 SIGN32 = 0x80000000;

static inline F32 canon(F32 r) { return r == r ? r : alu_f32(NAN32); }
static inline F32 ftz(F32 x) {
  const U32 bits = alu_bits32(x);
  return alu_f32(bits & INF32 ? bits : bits & SIGN32);
}

// Without a branch, so that loops stay straight.
static inline U32 choose(int is_first, U32 first, U32 second) {
  const U32 mask = 0 - (U32)is_first;
  return (first & mask) | (second & ~mask);
}

static inline U32 magnitude_of(F32 x) { return alu_bits32(x) & SIGN_OFF; }
static inline int is_subnormal(F32 x) { return magnitude_of(x) < LEAST_NORMAL32; }
static inline I32 mantissa_of(F32 x) { return (I32)(alu_bits32(x) & 0x7fffff); }
static inline I32 exponent_of(F32 x) { return (I32)(magnitude_of(x) >> 23) - 127; }

// Which products .ftz flushes is decided as if exponents had no end: those below 2^-126, however they round.
static inline F32 ftz_product(F32 a, F32 b) {
  const F32 x = ftz(a), y = ftz(b);
  const U32 bits = alu_bits32(x * y), wide = magnitude_of(x * 0x1p24f * y);
  return alu_f32(choose(wide < 0x0c800000, bits & SIGN32, bits));   // 2^-102
}

// ---- The unit itself. A subnormal argument is zero to it, and a subnormal result becomes zero.

static inline F32 unit_rcp(F32 x) {
  const U32 sign = alu_bits32(x) & SIGN32, size = magnitude_of(x);
  const I32 m = mantissa_of(x);
  const U32 digits = alu_digits(ALU_RCP, m >> 16, (m & 0xffff) << 1);
  const U32 inside = digits + ((U32)(125 - exponent_of(x)) << 23);
  const U32 normal = size > 0x7e800000 ? 0 : inside, some = size < LEAST_NORMAL32 ? INF32 : normal;
  return alu_f32(size > INF32 ? NAN32 : sign | some);
}

extern F32 ALU_NAME(alu_unit_rcp)(F32 x);   // alu.h has the generic one
F32 ALU_NAME(alu_unit_rcp)(F32 x) { return unit_rcp(x); }

// Two binades make one of the root: the second has the upper half of the table.
static inline I32 root_segment(F32 x) { return (I32)(~alu_bits32(x) >> 17 & 64) | mantissa_of(x) >> 17; }

static inline F32 unit_rsqrt(F32 x) {
  const U32 bits = alu_bits32(x), sign = bits & SIGN32;
  const I32 half = exponent_of(x) >> 1;
  const U32 digits = alu_digits(ALU_RSQRT, root_segment(x), mantissa_of(x) & 0x1ffff);
  const U32 near = digits + ((U32)(125 - half) << 23), exact = (U32)(127 - half) << 23;
  const U32 inside = choose((bits & 0xffffff) == LEAST_NORMAL32, exact, near);   // a power of 4
  const U32 some = choose(bits >= INF32, bits == INF32 ? 0 : NAN32, inside);
  return alu_f32(choose(is_subnormal(x), sign | INF32, some));
}

static inline F32 unit_sqrt(F32 x) {
  const U32 bits = alu_bits32(x), sign = bits & SIGN32;
  const U32 digits = alu_digits(ALU_SQRT, root_segment(x), mantissa_of(x) & 0x1ffff);
  const U32 inside = digits + ((U32)(126 + (exponent_of(x) >> 1)) << 23);
  const U32 positive = bits == INF32 ? INF32 : inside, some = bits > INF32 ? NAN32 : positive;
  return alu_f32(is_subnormal(x) ? sign : some);
}

// The argument in fixed point, in 2^-23: what is finer is cut off. A negative one is inverted, but for whole numbers.
static inline F32 unit_ex2(F32 x) {
  const F32 below = x < 128 ? x : 128, clamped = below > -128 ? below : -128;
  const I32 t = (I32)(clamped * 0x1p23f), u = t < 0 && t & 0x7fffff ? t - 1 : t;
  const U32 digits = alu_digits(ALU_EX2, u >> 17 & 63, u & 0x1ffff);
  const U32 inside = digits + ((U32)(126 + (u >> 23)) << 23);
  const U32 normal = x < -126 ? 0 : inside, some = x >= 128 ? INF32 : normal;
  return alu_f32(x == x ? some : NAN32);
}

// Exponent and logarithm of the mantissa in fixed point, in 2^-36 (32 of V). A negative sum is inverted, not negated.
static inline F32 unit_lg2(F32 x) {
  const U32 bits = alu_bits32(x);
  const I32 m = mantissa_of(x), e = exponent_of(x);
  const AluValue v = alu_interpolate(ALU_LG2, m >> 17, m & 0x1ffff);
  const F64 sum = (F64)e * 0x1p41 + (F64)v.high * 2048 + (F64)(v.low & 2016), size = e < 0 ? -sum - 32 : sum;
  const U32 inside = alu_cut(size, 41) | (alu_bits32((F32)e) & SIGN32);
  const U32 normal = choose(bits == 0x3f800000, 0, inside);
  const U32 some = choose(bits >= INF32, bits == INF32 ? INF32 : NAN32, normal);
  return alu_f32(choose(is_subnormal(x), SIGN32 | INF32, some));
}

// The sine of x turns and `quarters` of one, in fixed point: 2^-25 of a turn. Half of the quarters run backward.
static inline F32 unit_sine(F32 x, U32 quarters, U32 sign) {
  const U32 size = magnitude_of(x);
  const F32 inside = alu_f32(choose(size < 0x4b000000, size, 0)), whole = (F32)(I32)inside;   // below 2^23
  const U32 u = (U32)(I32)((inside - whole) * 0x1p25f) + (quarters << 23);
  const I32 f = (I32)((u ^ (0 - (u >> 23 & 1))) & 0x7fffff);
  const AluValue v = alu_interpolate(ALU_SIN, f >> 17, f & 0x1ffff);
  const U32 r = alu_cut((F64)v.high * 2048 + (F64)(v.low & 2047), 41), opposite = (u << 7 & SIGN32) ^ sign;
  return alu_f32(choose(size >= INF32, NAN32, opposite | choose(f == 0, 0, r)));
}

// Of each binade from 2^-8 to 2^2: its first segment, and how many there are, as a power of 2.
static const I32 tanh_first[] = {0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43};
static const I32 tanh_depth[] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3};

// Below, the result is the argument; above, 1. A call would keep its loops from being vectors.
__attribute__((always_inline)) static inline F32 unit_tanh(F32 x) {
  const U32 sign = alu_bits32(x) & SIGN32, size = magnitude_of(x);
  const I32 e = exponent_of(x) + 8, binade = e < 0 ? 0 : e > 10 ? 10 : e, depth = tanh_depth[binade];
  const I32 m = mantissa_of(x) << depth;
  const F64 v = alu_interpolate_tanh(tanh_first[binade] + (m >> 23), (m & 0x7fffff) >> 6);
  const U32 inside = e > 10 ? 0x3f800000 : alu_cut(v, 41), some = e < 0 ? size : inside;
  return alu_f32(size > INF32 ? NAN32 : sign | some);
}

// ---- PTX's functions of f32

// A subnormal argument times 2^24, made of its mantissa: a host takes long to multiply with a subnormal number.
static inline F32 lifted(F32 x) {
  const U32 product = alu_bits32((F32)mantissa_of(x) * 0x1p-125f) | (alu_bits32(x) & SIGN32);
  return alu_f32(choose(is_subnormal(x), product, alu_bits32(x)));
}
static inline F32 if_subnormal(F32 x, F32 yes, F32 no) {
  return alu_f32(choose(is_subnormal(x), alu_bits32(yes), alu_bits32(no)));
}
// What keeps the reciprocal of a large number normal.
static inline F32 shrink_for(F32 x) { return alu_f32(choose(magnitude_of(x) > 0x7e800000, 0x3e800000, 0x3f800000)); }

static inline F32 reciprocal(F32 x) {
  const F32 shrink = shrink_for(x);
  return canon(unit_rcp(lifted(x) * shrink) * if_subnormal(x, 0x1p24f, shrink));
}
static inline F32 reciprocal_root(F32 x) { return canon(unit_rsqrt(lifted(x)) * if_subnormal(x, 0x1p12f, 1)); }
static inline F32 square_root(F32 x) { return canon(unit_sqrt(lifted(x)) * if_subnormal(x, 0x1p-12f, 1)); }
static inline F32 logarithm(F32 x) { return canon(unit_lg2(lifted(x)) - if_subnormal(x, 24, 0)); }
static inline F32 exponential(F32 x) {
  const F32 r = unit_ex2(x < -126 ? x * 0.5f : x);
  return x < -126 ? r * r : r;
}

// The angle in turns, rounded toward zero: that is where large angles lose their sense. The product of two f32 is
// exact in an f64; 29 bits of it are cut off. Angles below 2^-40 are zero to the unit anyway.
static inline F32 turns(F32 x) {
  const F32 some = alu_f32(choose(magnitude_of(x) < 0x2b800000, 0, alu_bits32(x)));
  return (F32)alu_f64(alu_bits64((F64)some * (F64)0.15915494f) & ~0x1fffffffull);
}
static inline F32 sine(F32 x) { return unit_sine(turns(x), 0, alu_bits32(x) & SIGN32); }
static inline F32 cosine(F32 x) { return unit_sine(turns(x), 1, 0); }

static inline F32 quotient_approx(F32 a, F32 b) {
  return canon(unit_rcp(lifted(b)) * (a * if_subnormal(b, 0x1p24f, 1)));
}
static inline F32 quotient_full(F32 a, F32 b) {
  const F32 shrink = shrink_for(b);
  return canon(unit_rcp(lifted(b) * shrink) * (a * if_subnormal(b, 0x1p24f, shrink)));
}
static inline F32 quotient_approx_ftz(F32 a, F32 b) { return canon(ftz_product(unit_rcp(b), a)); }
static inline F32 quotient_full_ftz(F32 a, F32 b) {
  const F32 shrink = shrink_for(b);
  return canon(ftz_product(unit_rcp(ftz_product(b, shrink)), ftz_product(a, shrink)));
}

// ---- PTX's functions of f64: the unit looks at the upper word alone, and gives one: of 20 bits of mantissa.
// A NaN whose upper word is that of infinity counts as infinity.

enum { INF_UPPER = 0x7ff00000, NAN_UPPER = 0x7fffffff, LEAST_NORMAL_UPPER = 0x00100000 };

static inline U64 rough_reciprocal(U64 a) {
  const U32 upper = (U32)(a >> 32), sign = upper & SIGN32, size = upper & SIGN_OFF;
  const I32 m = (I32)(upper << 3 & 0x7fffff), e = (I32)(size >> 20) - 1023;
  const U32 digits = alu_digits(ALU_RCP, m >> 16, (m & 0xffff) << 1) >> 3;
  const U32 inside = digits + ((U32)(1021 - e) << 20), normal = size > 0x7fd00000 ? 0 : inside;
  const U32 some = size < LEAST_NORMAL_UPPER ? INF_UPPER : normal;
  return (U64)(size > INF_UPPER ? NAN_UPPER : sign | some) << 32;
}
static inline U64 rough_reciprocal_root(U64 a) {
  const U32 upper = (U32)(a >> 32), sign = upper & SIGN32, size = upper & SIGN_OFF;
  const I32 m = (I32)(upper << 3 & 0x7fffff), half = ((I32)(size >> 20) - 1023) >> 1;
  const I32 odd = (I32)(~upper >> 14 & 64);
  const U32 digits = alu_digits(ALU_RSQRT, odd | m >> 17, m & 0x1ffff) >> 3;
  const U32 near = digits + ((U32)(1021 - half) << 20), exact = (U32)(1023 - half) << 20;
  const U32 inside = m == 0 && odd == 0 ? exact : near, positive = size == INF_UPPER ? 0 : inside;
  const U32 some = sign || size > INF_UPPER ? NAN_UPPER : positive;
  return (U64)(size < LEAST_NORMAL_UPPER ? sign | INF_UPPER : some) << 32;
}

// A step of Halley's method from the unit's 20 bits, as the assembler writes it.
static inline F64 halley_step(F64 a, F64 y) {
  const F64 error = __builtin_fma(-(y * y), a, 1);
  return __builtin_fma(__builtin_fma(error, 0.375, 0.5), y * error, y);
}
static inline F64 reciprocal_root_f64(F64 a) {
  const U64 bits = alu_bits64(a), sign = bits & 0x8000000000000000, inf = 0x7ff0000000000000;
  const F64 lift = bits < 0x0010000000000000 ? 0x1p54 : 1, drop = bits < 0x0010000000000000 ? 0x1p27 : 1;
  const F64 r = halley_step(a * lift, alu_f64(rough_reciprocal_root(alu_bits64(a * lift)))) * drop;
  const U64 nan = a != a ? bits | 0x0008000000000000 : 0xfff8000000000000;
  const U64 positive = bits == inf ? 0 : alu_bits64(r), some = a > 0 ? positive : nan;
  return alu_f64(a == 0 ? sign | inf : some);
}

// ---- f16 and bf16: what the unit gives for the same number, cut off, not rounded.

static inline U32 cut_half(F32 x) {
  const U32 bits = alu_bits32(x), sign = bits >> 16 & 0x8000, size = bits & SIGN_OFF;
  const F32 small = alu_f32(choose(size < 0x38800000, size, 0));   // below 2^-14
  const U32 finite = choose(size < 0x38800000, (U32)(I32)(small * 0x1p24f), (size - (112u << 23)) >> 13);
  return choose(size > INF32, 0x7fff, sign | choose(size >= 0x47800000, 0x7c00, finite));
}
static inline U32 cut_bfloat(F32 x) { return choose(magnitude_of(x) > INF32, 0x7fff, alu_bits32(x) >> 16); }

#define half(function, h) cut_half(function(alu_half_value(h)))
#define bfloat(function, h) cut_bfloat(function(alu_bfloat_value(h)))

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
