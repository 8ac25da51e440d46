// alu_set.c: set, and setp of pairs of halves, lane by lane by what the instruction's fields say. The
// operations themselves are in alu_set.def.
#include "sim/alu/alu_halves.h"

// Which of the four outcomes (less, equal, greater, unordered) each comparison accepts.
enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };
static const uint8_t accepted[] = {
    [PTX_EQ] = EQUAL, [PTX_NE] = LESS | GREATER, [PTX_LT] = LESS, [PTX_LE] = LESS | EQUAL, [PTX_GT] = GREATER,
    [PTX_GE] = GREATER | EQUAL, [PTX_LO] = LESS, [PTX_LS] = LESS | EQUAL, [PTX_HI] = GREATER,
    [PTX_HS] = GREATER | EQUAL,
    [PTX_EQU] = EQUAL | UNORDERED, [PTX_NEU] = LESS | GREATER | UNORDERED, [PTX_LTU] = LESS | UNORDERED,
    [PTX_LEU] = LESS | EQUAL | UNORDERED, [PTX_GTU] = GREATER | UNORDERED, [PTX_GEU] = GREATER | EQUAL | UNORDERED,
    [PTX_NUM] = LESS | EQUAL | GREATER, [PTX_NAN] = UNORDERED};
#define OUTCOME(a, b) ((a) < (b) ? LESS : (a) == (b) ? EQUAL : (a) > (b) ? GREATER : UNORDERED)

static int outcome_f32(const SimOp *op, F32 a, F32 b) {
  if (op->flags & PTX_F_FTZ) a = alu_ftz(a), b = alu_ftz(b);
  return OUTCOME(a, b);
}
static int outcome_half(const SimOp *op, uint8_t type, U32 a, U32 b) {
  if (type == PTX_BF16 || type == PTX_BF16X2) return outcome_f32(op, alu_bfloat_value(a), alu_bfloat_value(b));
  if (op->flags & PTX_F_FTZ) return OUTCOME(alu_half_ftz(a), alu_half_ftz(b));
  return OUTCOME(alu_half_value(a), alu_half_value(b));
}
static int compare_32(const SimOp *op, U32 a, U32 b) {
  int outcome;
  switch (op->type2) {
    case PTX_F32: outcome = outcome_f32(op, alu_f32(a), alu_f32(b)); break;
    case PTX_F16: case PTX_BF16: outcome = outcome_half(op, op->type2, a, b); break;
    case PTX_S16: outcome = OUTCOME((int16_t)a, (int16_t)b); break;
    case PTX_S32: outcome = OUTCOME((I32)a, (I32)b); break;
    default: outcome = OUTCOME(a, b); break;
  }
  return (accepted[op->cmp] & outcome) != 0;
}
static int compare_64(const SimOp *op, U64 a, U64 b) {
  int outcome;
  switch (op->type2) {
    case PTX_F64: outcome = OUTCOME(alu_f64(a), alu_f64(b)); break;
    case PTX_S64: outcome = OUTCOME((I64)a, (I64)b); break;
    default: outcome = OUTCOME(a, b); break;
  }
  return (accepted[op->cmp] & outcome) != 0;
}

// What set writes for true.
static U32 truth(uint8_t type) {
  switch (type) {
    case PTX_F32: return 0x3f800000;
    case PTX_F16: return 0x3c00;
    case PTX_F16X2: return 0x3c003c00;
    case PTX_BF16: return 0x3f80;
    case PTX_BF16X2: return 0x3f803f80;
    case PTX_U16: case PTX_S16: return 0xffff;
    default: return 0xffffffff;
  }
}

#define ALU_SET(name, A, compare)                                                             \
  ALU_LOOP_OF(name, U32,                                                                      \
  const A *const pa = ALU_SLOT(const A, op->a);                                               \
  const A *const pb = ALU_SLOT(const A, op->b);                                               \
  U32 r = 0;                                                                                  \
  for (int i = 0; i < 32; i++) r |= (U32)compare(op, pa[i], pb[i]) << i;                      \
  r = alu_combine(regs, op, r);                                                               \
  for (int i = 0; i < 32; i++) d[i] = r >> i & 1 ? truth(op->type) : 0;)

// Comparisons of the low and of the high halves.
static void compare_pairs(const uint8_t *regs, const SimOp *op, uint8_t type, U32 *low, U32 *high) {
  const U32 *const pa = ALU_SLOT(const U32, op->a), *const pb = ALU_SLOT(const U32, op->b);
  *low = *high = 0;
  for (int i = 0; i < 32; i++) {
    const int outcome_low = outcome_half(op, type, pa[i] & 0xffff, pb[i] & 0xffff);
    const int outcome_high = outcome_half(op, type, pa[i] >> 16, pb[i] >> 16);
    *low |= (U32)((accepted[op->cmp] & outcome_low) != 0) << i;
    *high |= (U32)((accepted[op->cmp] & outcome_high) != 0) << i;
  }
  *low = alu_combine(regs, op, *low);
  *high = alu_combine(regs, op, *high);
}
#define ALU_COMPARE_PAIR(name)                                                                \
  static void name(uint8_t *regs, const SimOp *op, uint32_t mask) {                           \
    U32 low, high;                                                                            \
    compare_pairs(regs, op, op->type, &low, &high);                                           \
    alu_write_pred(regs, op->d, low, mask);                                                   \
    if (op->d2 && op->d2 != SIM_NO_SLOT) alu_write_pred(regs, op->d2, high, mask);            \
  }
#define ALU_SET_PAIR(name)                                                                    \
  ALU_LOOP_OF(name, U32,                                                                      \
  U32 low, high;                                                                              \
  compare_pairs(regs, op, op->type2, &low, &high);                                            \
  for (int i = 0; i < 32; i++) {                                                              \
    const U32 halves = (low >> i & 1 ? 0xffffu : 0) | (high >> i & 1 ? 0xffff0000u : 0);      \
    d[i] = halves & truth(op->type);                                                          \
  })

#define COMPARE_PAIR(name, ...) ALU_COMPARE_PAIR(name)
#define SET(name, A, compare, ...) ALU_SET(name, A, compare)
#define SET_PAIR(name, ...) ALU_SET_PAIR(name)
#include "sim/alu/alu_set.def"
#undef COMPARE_PAIR
#undef SET
#undef SET_PAIR

#define COMPARE_PAIR(name, ...) {__VA_ARGS__, .sources = 2, .run = name},
#define SET(name, A, compare, ...) {__VA_ARGS__, .sources = 2, .run = name},
#define SET_PAIR(name, ...) {__VA_ARGS__, .sources = 2, .run = name},
static const AluRow rows[] = {
#include "sim/alu/alu_set.def"
};

extern const AluTable ALU_NAME(alu_set);
const AluTable ALU_NAME(alu_set) = {rows, sizeof rows / sizeof rows[0]};
