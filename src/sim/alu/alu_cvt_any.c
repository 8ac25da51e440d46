// alu_cvt_any.c: conversions that look at the instruction's types and rounding as they run, lane by lane. The
// operations themselves are in alu_cvt_any.def.
#include "sim/alu/alu_cvt.h"
#include "sim/alu/alu_soft.h"

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
  U64 r = narrows_nan ? alu_bits32(alu_narrow(alu_f64(a))) : soft_convert(from, to, a, (PtxRound)op->round);
  if (to_single) r = flush_rounded_up(op, a, r);
  if (to_single && soft_is_nan(to, r) && !(op->flags & (PTX_F_SAT | PTX_F_RELU))) return r;
  const U64 inf = soft_convert(&soft_f32, to, 0x7f800000, PTX_RN), sign = 1ull << (to->bits - 1);
  if (op->flags & PTX_F_SATFINITE && (r & ~sign) == inf) r = (r & sign) | (inf - 1);
  return finish(op, to, r);
}

static inline U64 quiet_integral(uint8_t round, F64 x) {
  return x == x ? alu_bits64(alu_integral(round, x)) : alu_bits64(x) | 0x0008000000000000;
}
static inline U64 integral_finish(const SimOp *op, F32 x) {
  return finish(op, &soft_f32, alu_bits32((F32)alu_integral(op->round, op->flags & PTX_F_FTZ ? alu_ftz(x) : x)));
}
static inline U64 half_finish(const SimOp *op, F64 x) { return finish(op, &soft_f16, alu_half_of((F32)x)); }
static inline U64 bfloat_finish(const SimOp *op, F64 x) { return finish(op, &soft_bf16, alu_bfloat_of((F32)x)); }

// NaN becomes 0; for an f64 source or a 64-bit destination, the highest bit alone (both measured on sm_90).
static inline U64 int_of(const SimOp *op, F64 x) {
  const uint8_t type = op->type;
  const int bits = type_bits(type);
  if (x != x) return op->type2 == PTX_F64 || bits == 64 ? 1ull << (bits - 1) : 0;
  const F64 r = alu_integral(op->round, x), two63 = 9223372036854775808.0;
  if (r < 0) return saturate_signed(type, r < -two63 ? INT64_MIN : (I64)r);
  const U64 size = r < two63 ? (U64)(I64)r : r < 2 * two63 ? (U64)(I64)(r - two63) + (1ull << 63) : ~0ull;
  return saturate_unsigned(type, size);
}

#define LANE1(name, D, A, expression, ...) ALU_LANE1(name, D, A, expression)
#define LANE2(name, D, A, B, expression, ...) ALU_LANE2(name, D, A, B, expression)
#include "sim/alu/alu_cvt_any.def"
#undef LANE1
#undef LANE2

#define LANE1(name, D, A, expression, ...) {__VA_ARGS__, .sources = 1, .run = name},
#define LANE2(name, D, A, B, expression, ...) {__VA_ARGS__, .sources = 2, .run = name},
static const AluRow rows[] = {
#include "sim/alu/alu_cvt_any.def"
};

extern const AluTable ALU_NAME(alu_cvt_any);
const AluTable ALU_NAME(alu_cvt_any) = {rows, sizeof rows / sizeof rows[0]};
