// alu_cvt.c: conversions on 32 lanes. The operations themselves are in alu_cvt.def.
#include "sim/alu/alu_cvt.h"

static inline F32 canon(F32 r) { return r == r ? r : alu_f32(0x7fffffff); }
// A NaN changes its width as the bits of its fraction do: the upper ones stay, and it becomes quiet.
static inline F64 widen(F32 x) {
  const U64 bits = alu_bits32(x), nan = (bits & 0x80000000) << 32 | 0x7ff8000000000000 | (bits & 0x7fffff) << 29;
  return x == x ? (F64)x : alu_f64(nan);
}
// .ftz decides as if exponents of f32 had no end: what is below 2^-126 and rounds up to it is flushed as well.
static inline F32 narrow_ftz(F64 x) {
  const F32 r = alu_narrow(x);
  return x > -0x1.ffffffp-127 && x < 0x1.ffffffp-127 ? alu_f32(alu_bits32(r) & 0x80000000) : r;
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
// Of a whole number. A conversion to s32 is what vector units have.
static inline U32 u32_of_f64(F64 x) {
  const F64 two31 = 2147483648.0, inside = x > 0 && x < 2 * two31 ? x : 0;
  const U32 r = (U32)(I32)(inside - two31) ^ 0x80000000, some = x >= 2 * two31 ? UINT32_MAX : r;
  return x == x ? some : 0x80000000;
}
static inline U64 integral_f64(uint8_t round, F64 x) {
  return x == x ? alu_bits64(alu_integral(round, x)) : alu_bits64(x) | 0x0008000000000000;
}
static inline U32 u32_of(F32 x) {
  const F32 two31 = 2147483648.0f, below = x < two31 ? x : x - two31;
  const U32 inside = (U32)(I32)(below > 0 && below < two31 ? below : 0);
  return x >= 2 * two31 ? UINT32_MAX : x >= two31 ? inside + 0x80000000 : inside;
}

#define QUICK1(name, D, A, expression, ...) ALU_QUICK1(name, D, A, expression)
#define LANE1(name, D, A, expression, ...) ALU_LANE1(name, D, A, expression)
#define LANE2(name, D, A, B, expression, ...) ALU_LANE2(name, D, A, B, expression)
#include "sim/alu/alu_cvt.def"
#undef QUICK1
#undef LANE1
#undef LANE2

#define QUICK1(name, D, A, expression, ...) {__VA_ARGS__, .sources = 1, .run = name},
#define LANE1(name, D, A, expression, ...) {__VA_ARGS__, .sources = 1, .run = name},
#define LANE2(name, D, A, B, expression, ...) {__VA_ARGS__, .sources = 2, .run = name},
static const AluRow rows[] = {
#include "sim/alu/alu_cvt.def"
};

extern const AluTable ALU_NAME(alu_cvt);
const AluTable ALU_NAME(alu_cvt) = {rows, sizeof rows / sizeof rows[0]};
