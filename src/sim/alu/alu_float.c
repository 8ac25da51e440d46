// alu_float.c: f32 and f64 arithmetic on 32 lanes. The operations themselves are in alu_float.def.
#include "sim/alu/alu_lanes.h"

static const uint32_t inf32 = 0x7f800000;
static const uint64_t inf64 = 0x7ff0000000000000, quiet64 = 0x0008000000000000;

static inline U32 magnitude32(U32 a) { return a & 0x7fffffff; }
static inline U64 magnitude64(U64 a) { return a & 0x7fffffffffffffff; }
static inline int is_nan32(U32 a) { return magnitude32(a) > inf32; }
static inline int is_nan64(U64 a) { return magnitude64(a) > inf64; }

// An f32 operation gives one NaN only; it keeps nothing of the operands'.
static inline U32 canon_bits(U32 a) { return is_nan32(a) ? 0x7fffffff : a; }
static inline F32 canon(F32 r) { return r == r ? r : alu_f32(0x7fffffff); }
// f64 keeps a NaN operand, quieted: of several the first one here. Operations differ in whom they ask first.
static inline F64 canon2(F64 r, F64 a, F64 b) {
  const U64 nan = a != a ? alu_bits64(a) | quiet64 : b != b ? alu_bits64(b) | quiet64 : 0xfff8000000000000;
  return r == r ? r : alu_f64(nan);
}
static inline F64 canon3(F64 r, F64 a, F64 b, F64 c) {
  const U64 last = c != c ? alu_bits64(c) | quiet64 : 0xfff8000000000000;
  const U64 nan = a != a ? alu_bits64(a) | quiet64 : b != b ? alu_bits64(b) | quiet64 : last;
  return r == r ? r : alu_f64(nan);
}

static inline F32 sat(F32 x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
static inline F32 plus(F32 a, F32 b) { return a + b; }
static inline F32 minus(F32 a, F32 b) { return a - b; }
static inline F32 times(F32 a, F32 b) { return a * b; }

// Which results .ftz flushes is decided as if exponents had no end: a value below 2^-126 that rounds up to it only for
// lack of smaller numbers is flushed as well. Operands 2^24 times as large show it. Sums have no such values.
static inline F32 flush_if(F32 r, F32 larger) {
  return larger > -0x1p-102f && larger < 0x1p-102f ? alu_f32(alu_bits32(r) & 0x80000000) : r;
}
static inline F32 plus_ftz(F32 a, F32 b) { return alu_ftz(a + b); }
static inline F32 minus_ftz(F32 a, F32 b) { return alu_ftz(a - b); }
static inline F32 times_ftz(F32 a, F32 b) { return flush_if(a * b, a * 0x1p24f * b); }
static inline F32 quotient_ftz(F32 a, F32 b) { return flush_if(a / b, a * 0x1p24f / b); }
static inline F32 fma_ftz(F32 a, F32 b, F32 c) {
  return flush_if(__builtin_fmaf(a, b, c), __builtin_fmaf(a * 0x1p24f, b, c * 0x1p24f));
}

// Order of the bit patterns as signed integers: negative values reversed, -0 below +0.
static inline I32 order32(U32 a) { return (I32)(a ^ (U32)((I32)a >> 31) >> 1); }
static inline I64 order64(U64 a) { return (I64)(a ^ (U64)((I64)a >> 63) >> 1); }
static inline U32 if_number32(U32 a, U32 b, U32 r) { return is_nan32(a) || is_nan32(b) ? 0x7fffffff : r; }

// A NaN gives way to a number.
static inline U32 unless_nan32(U32 a, U32 b, U32 chosen) {
  return is_nan32(a) ? canon_bits(b) : is_nan32(b) ? a : chosen;
}
static inline U64 unless_nan64(U64 a, U64 b, U64 chosen) {
  return is_nan64(a) ? (is_nan64(b) ? b | quiet64 : b) : is_nan64(b) ? a : chosen;
}
static inline U32 min32(U32 a, U32 b) { return unless_nan32(a, b, order32(a) < order32(b) ? a : b); }
static inline U32 max32(U32 a, U32 b) { return unless_nan32(a, b, order32(a) > order32(b) ? a : b); }
static inline U64 min64(U64 a, U64 b) { return unless_nan64(a, b, order64(a) < order64(b) ? a : b); }
static inline U64 max64(U64 a, U64 b) { return unless_nan64(a, b, order64(a) > order64(b) ? a : b); }

// .xorsign.abs: magnitudes compared, the result signed by the product of the signs.
static inline U32 modify32(uint32_t flags, U32 a, U32 b, U32 r) {
  if (flags & PTX_F_NAN) r = if_number32(a, b, r);
  return is_nan32(r) ? r : r | ((a ^ b) & 0x80000000);
}
static inline U32 min32_modified(uint32_t flags, U32 a, U32 b) {
  if (flags & PTX_F_FTZ) a = alu_ftz_bits(a), b = alu_ftz_bits(b);
  return modify32(flags, a, b, min32(magnitude32(a), magnitude32(b)));
}
static inline U32 max32_modified(uint32_t flags, U32 a, U32 b) {
  if (flags & PTX_F_FTZ) a = alu_ftz_bits(a), b = alu_ftz_bits(b);
  return modify32(flags, a, b, max32(magnitude32(a), magnitude32(b)));
}

#define QUICK2(name, D, A, B, expression, ...) ALU_QUICK2(name, D, A, B, expression)
#define QUICK3(name, D, A, B, C, expression, ...) ALU_QUICK3(name, D, A, B, C, expression)
#define LANE1(name, D, A, expression, ...) ALU_LANE1(name, D, A, expression)
#define LANE2(name, D, A, B, expression, ...) ALU_LANE2(name, D, A, B, expression)
#define LANE3(name, D, A, B, C, expression, ...) ALU_LANE3(name, D, A, B, C, expression)
#define TEST1(name, A, W, bits, expression, ...) ALU_TEST1(name, A, W, bits, expression)
#include "sim/alu/alu_float.def"
#undef QUICK2
#undef QUICK3
#undef LANE1
#undef LANE2
#undef LANE3
#undef TEST1

#define QUICK2(name, D, A, B, expression, ...) {__VA_ARGS__, .sources = 2, .run = name},
#define QUICK3(name, D, A, B, C, expression, ...) {__VA_ARGS__, .sources = 3, .run = name},
#define LANE1(name, D, A, expression, ...) {__VA_ARGS__, .sources = 1, .run = name},
#define LANE2(name, D, A, B, expression, ...) {__VA_ARGS__, .sources = 2, .run = name},
#define LANE3(name, D, A, B, C, expression, ...) {__VA_ARGS__, .sources = 3, .run = name},
#define TEST1(name, A, W, bits, expression, ...) {__VA_ARGS__, .sources = 1, .run = name},
static const AluRow rows[] = {
#include "sim/alu/alu_float.def"
};

extern const AluTable ALU_NAME(alu_float);
const AluTable ALU_NAME(alu_float) = {rows, sizeof rows / sizeof rows[0]};
