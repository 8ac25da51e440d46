// alu_cvt.c: conversions on 32 lanes. The operations themselves are in alu_cvt.def.
#include "sim/alu/alu_halves.h"
#include "sim/alu/alu_soft.h"

#define T_8 (T_U8 | T_S8 | T_B8)

static inline F32 canon(F32 r) { return r == r ? r : alu_f32(0x7fffffff); }
static inline F32 ftz(F32 x) {
  const U32 bits = alu_bits32(x);
  return alu_f32(bits & 0x7f800000 ? bits : bits & 0x80000000);
}

static inline int type_bits(uint8_t type) {
  switch (type) {
    case PTX_B8: case PTX_U8: case PTX_S8: return 8;
    case PTX_B16: case PTX_U16: case PTX_S16: return 16;
    case PTX_B32: case PTX_U32: case PTX_S32: return 32;
    default: return 64;
  }
}
static inline int is_signed(uint8_t type) { return type >= PTX_S8 && type <= PTX_S64; }
static inline U64 low_bits(U64 x, int bits) { return bits == 64 ? x : x & ((1ull << bits) - 1); }
static inline U64 magnitude(I64 x) { return x < 0 ? 0 - (U64)x : (U64)x; }

// The range of the destination: up to `most`, down to -most - 1 or 0.
static inline U64 most_of(uint8_t type) { return ~0ull >> (64 - type_bits(type) + is_signed(type)); }
static inline U64 saturate_unsigned(uint8_t type, U64 x) { return x > most_of(type) ? most_of(type) : x; }
static inline U64 saturate_signed(uint8_t type, I64 x) {
  if (x >= 0) return saturate_unsigned(type, (U64)x);
  if (!is_signed(type)) return 0;
  const I64 least = -(I64)most_of(type) - 1;
  return low_bits((U64)(x < least ? least : x), type_bits(type));
}

// The modifiers of a result.
static U64 finish(const SimOp *op, const SoftFormat *f, U64 r) {
  if (op->flags & PTX_F_SAT) r = soft_saturate(f, r);
  if (op->flags & PTX_F_RELU) r = soft_relu(f, r);
  if (op->flags & PTX_F_FTZ && f == &soft_f32) r = soft_flush(f, r);
  return soft_is_nan(f, r) && f != &soft_f64 ? f->nan : r;
}
static U64 float_of(const SimOp *op, int negative, U64 magnitude_) {
  const SoftFormat *const f = soft_format((PtxType)op->type);
  return finish(op, f, soft_from_int(f, negative, magnitude_, (PtxRound)op->round));
}

// A NaN changes its width as the bits of its fraction do: the upper ones stay, and it becomes quiet.
static inline F64 widen(F32 x) {
  const U64 bits = alu_bits32(x), nan = (bits & 0x80000000) << 32 | 0x7ff8000000000000 | (bits & 0x7fffff) << 29;
  return x == x ? (F64)x : alu_f64(nan);
}
static inline F32 narrow(F64 x) {
  const U64 bits = alu_bits64(x);
  const U32 nan = (U32)(bits >> 32 & 0x80000000) | 0x7fc00000 | (U32)(bits >> 29 & 0x7fffff);
  return x == x ? (F32)x : alu_f32(nan);
}

// .ftz decides as if exponents of f32 had no end: what is below 2^-126 and rounds up to it is flushed as well.
static inline F32 narrow_ftz(F64 x) {
  const F32 r = narrow(x);
  return x > -0x1.ffffffp-127 && x < 0x1.ffffffp-127 ? alu_f32(alu_bits32(r) & 0x80000000) : r;
}
static U64 flush_rounded_up(const SimOp *op, U64 a, U64 r) {
  enum { LARGER = 24 };
  if (!(op->flags & PTX_F_FTZ) || (r & 0x7fffffff) != 0x00800000) return r;
  const U64 larger = soft_convert(&soft_f64, &soft_f32, a + ((U64)LARGER << 52), (PtxRound)op->round);
  return (larger & 0x7fffffff) < 0x00800000 + (LARGER << 23) ? r & 0x80000000 : r;
}

static U64 float_of_float(const SimOp *op, U64 a) {
  const SoftFormat *const from = soft_format((PtxType)op->type2), *const to = soft_format((PtxType)op->type);
  if (op->flags & PTX_F_FTZ && from == &soft_f32) a = soft_flush(from, a);
  const int to_single = to == &soft_f32 && from == &soft_f64;
  const int narrows_nan = to_single && soft_is_nan(from, a);
  U64 r = narrows_nan ? alu_bits32(narrow(alu_f64(a))) : soft_convert(from, to, a, (PtxRound)op->round);
  if (to_single) r = flush_rounded_up(op, a, r);
  if (to_single && soft_is_nan(to, r) && !(op->flags & (PTX_F_SAT | PTX_F_RELU))) return r;
  const U64 inf = soft_convert(&soft_f32, to, 0x7f800000, PTX_RN), sign = 1ull << (to->bits - 1);
  if (op->flags & PTX_F_SATFINITE && (r & ~sign) == inf) r = (r & sign) | (inf - 1);
  return finish(op, to, r);
}

// Adding and taking away 2^52 rounds a smaller magnitude to an integer; larger ones are integers already.
static inline F64 integral(uint8_t round, F64 x) {
  const F64 size = alu_f64(alu_bits64(x) & 0x7fffffffffffffff), two52 = 4503599627370496.0;
  const F64 nearest = (size + two52) - two52, down = nearest > size ? nearest - 1 : nearest;
  const F64 up = nearest < size ? nearest + 1 : nearest;
  const int negative = alu_bits64(x) >> 63 != 0;
  F64 r = nearest;
  if (round == PTX_RZI) r = down;
  if (round == PTX_RMI) r = negative ? up : down;
  if (round == PTX_RPI) r = negative ? down : up;
  r = size < two52 ? r : size;
  return alu_f64(alu_bits64(r) | (alu_bits64(x) & 0x8000000000000000));
}
static inline U64 quiet_integral(uint8_t round, F64 x) {
  return x == x ? alu_bits64(integral(round, x)) : alu_bits64(x) | 0x0008000000000000;
}
static inline U64 integral_finish(const SimOp *op, F32 x) {
  return finish(op, &soft_f32, alu_bits32((F32)integral(op->round, op->flags & PTX_F_FTZ ? ftz(x) : x)));
}
static inline U64 half_finish(const SimOp *op, F64 x) { return finish(op, &soft_f16, alu_half_of((F32)x)); }
static inline U64 bfloat_finish(const SimOp *op, F64 x) { return finish(op, &soft_bf16, alu_bfloat_of((F32)x)); }

// NaN becomes 0; for an f64 source or a 64-bit destination, the highest bit alone (both measured on sm_90).
static inline U64 int_of(const SimOp *op, F64 x) {
  const uint8_t type = op->type;
  const int bits = type_bits(type);
  if (x != x) return op->type2 == PTX_F64 || bits == 64 ? 1ull << (bits - 1) : 0;
  const F64 r = integral(op->round, x), two63 = 9223372036854775808.0;
  if (r < 0) return saturate_signed(type, r < -two63 ? INT64_MIN : (I64)r);
  const U64 size = r < two63 ? (U64)(I64)r : r < 2 * two63 ? (U64)(I64)(r - two63) + (1ull << 63) : ~0ull;
  return saturate_unsigned(type, size);
}
static inline I32 s32_of(F32 x) {
  const F32 two31 = 2147483648.0f;
  const I32 inside = (I32)(x >= -two31 && x < two31 ? x : 0);
  return x >= two31 ? INT32_MAX : x < -two31 ? INT32_MIN : inside;
}
static inline I32 s32_of_f64(F64 x) {
  const F64 two31 = 2147483648.0;
  const I32 inside = (I32)(x > -two31 - 1 && x < two31 ? x : -two31);
  return x >= two31 ? INT32_MAX : inside;
}
static inline U32 u32_of(F32 x) {
  const F32 two31 = 2147483648.0f, below = x < two31 ? x : x - two31;
  const U32 inside = (U32)(I32)(below > 0 && below < two31 ? below : 0);
  return x >= 2 * two31 ? UINT32_MAX : x >= two31 ? inside + 0x80000000 : inside;
}

#define LANE1(name, D, A, expression, ...) ALU_LANE1(name, D, A, expression)
#define LANE2(name, D, A, B, expression, ...) ALU_LANE2(name, D, A, B, expression)
#include "sim/alu/alu_cvt.def"
#undef LANE1
#undef LANE2

#define LANE1(name, D, A, expression, ...) {__VA_ARGS__, .sources = 1, .run = name},
#define LANE2(name, D, A, B, expression, ...) {__VA_ARGS__, .sources = 2, .run = name},
static const AluRow rows[] = {
#include "sim/alu/alu_cvt.def"
};

extern const AluTable ALU_NAME(alu_cvt);
const AluTable ALU_NAME(alu_cvt) = {rows, sizeof rows / sizeof rows[0]};
