// alu_directed.c: f32 and f64 rounded toward zero, down and up: made in integers (alu_soft.h), lane by lane. The
// operations themselves are in alu_directed.def.
#include "sim/alu/alu_lanes.h"
#include "sim/alu/alu_soft.h"

static const uint32_t inf32 = 0x7f800000, one_f32 = 0x3f800000;
static const uint64_t one_f64 = 0x3ff0000000000000;

static inline U32 magnitude32(U32 a) { return a & 0x7fffffff; }
static inline U32 in32(const SimOp *op, U32 a) { return op->flags & PTX_F_FTZ ? alu_ftz_bits(a) : a; }
static inline U32 out32(const SimOp *op, U64 r) {
  if (op->flags & PTX_F_SAT) r = soft_saturate(&soft_f32, r);
  return in32(op, (U32)r);
}
static inline U64 soft_sub(const SoftFormat *f, U64 a, U64 b, PtxRound round) {
  return soft_add(f, a, soft_is_nan(f, b) ? b : soft_negate(f, b), round);
}

// An operation in integers, with the instruction's modifiers.
typedef U64 (*Soft2)(const SoftFormat *f, U64 a, U64 b, PtxRound round);
static inline U32 soft32(const SimOp *op, U32 a, U32 b, Soft2 soft) {
  return out32(op, soft(&soft_f32, in32(op, a), in32(op, b), (PtxRound)op->round));
}
// Whether .ftz may have to flush what rounded up to the smallest normal number: see flush_if in alu_float.c.
static inline int may_hide_tiny(const SimOp *op, U32 r) {
  return op->flags & PTX_F_FTZ && magnitude32(r) == 0x00800000;
}
static inline U32 larger32(U32 a) { return a & inf32 && magnitude32(a) < 0x70000000 ? a + (24u << 23) : a; }
static inline U32 flush_if_tiny(U32 r, U64 larger) {
  return magnitude32((U32)larger) < 0x00800000 + (24u << 23) ? r & 0x80000000 : r;
}
static inline U32 scaling32(const SimOp *op, U32 a, U32 b, Soft2 soft) {
  const U32 r = soft32(op, a, b, soft);
  if (!may_hide_tiny(op, r)) return r;
  return flush_if_tiny(r, soft(&soft_f32, larger32(a), b, (PtxRound)op->round));
}
static inline U32 fma32(const SimOp *op, U32 a, U32 b, U32 c) {
  a = in32(op, a), b = in32(op, b), c = in32(op, c);
  const U32 r = out32(op, soft_fma(&soft_f32, a, b, c, (PtxRound)op->round));
  if (!may_hide_tiny(op, r)) return r;
  return flush_if_tiny(r, soft_fma(&soft_f32, larger32(a), b, larger32(c), (PtxRound)op->round));
}

#define LANE1(name, D, A, expression, ...) ALU_LANE1(name, D, A, expression)
#define LANE2(name, D, A, B, expression, ...) ALU_LANE2(name, D, A, B, expression)
#define LANE3(name, D, A, B, C, expression, ...) ALU_LANE3(name, D, A, B, C, expression)
#include "sim/alu/alu_directed.def"
#undef LANE1
#undef LANE2
#undef LANE3

#define LANE1(name, D, A, expression, ...) {__VA_ARGS__, .sources = 1, .run = name},
#define LANE2(name, D, A, B, expression, ...) {__VA_ARGS__, .sources = 2, .run = name},
#define LANE3(name, D, A, B, C, expression, ...) {__VA_ARGS__, .sources = 3, .run = name},
static const AluRow rows[] = {
#include "sim/alu/alu_directed.def"
};

extern const AluTable ALU_NAME(alu_directed);
const AluTable ALU_NAME(alu_directed) = {rows, sizeof rows / sizeof rows[0]};
