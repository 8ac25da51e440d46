// alu_half_modified.c: f16 and bf16 arithmetic with modifiers, which are looked at lane by lane. The operations
// themselves are in alu_half_modified.def.
#include "sim/alu/alu_half.h"

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
#include "sim/alu/alu_half_modified.def"
#undef LANE1
#undef LANE2
#undef LANE3

#define LANE1(name, D, A, expression, ...) {__VA_ARGS__, .sources = 1, .run = name},
#define LANE2(name, D, A, B, expression, ...) {__VA_ARGS__, .sources = 2, .run = name},
#define LANE3(name, D, A, B, C, expression, ...) {__VA_ARGS__, .sources = 3, .run = name},
static const AluRow rows[] = {
#include "sim/alu/alu_half_modified.def"
};

extern const AluTable ALU_NAME(alu_half_modified);
const AluTable ALU_NAME(alu_half_modified) = {rows, sizeof rows / sizeof rows[0]};
