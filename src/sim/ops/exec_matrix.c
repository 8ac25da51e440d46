// exec_matrix.c: products of small matrices across the warp: mma and wmma.mma.
//
// f16, bf16, tf32 and 8-bit floats are summed as the assumed device's tensor cores do (alu/tensor.h). f64 is a chain of
// fused multiply-adds in the order of k. Integers are exact. Matrices of bits are of words here: a depth of 256 is 8.
#include <math.h>
#include <string.h>
#include "sim/alu/alu_soft.h"
#include "sim/alu/tensor.h"
#include "sim/core/event.h"
#include "sim/core/slots.h"
#include "sim/grid/meet.h"
#include "sim/ops/decoders.h"
#include "sim/ops/fragment.h"
#include "sim/ops/matrix.h"

typedef struct Product {
  SimWarpOp meet;
  MatrixFragment d, a, b, c;
  PtxShape shape;
  bool clamps;             // .satfinite of integers
  uint8_t boolop;          // PtxBool: of bits, whose ones are counted
  const TensorRule *rule;  // NULL: f64 and integers
  int group;               // products that are summed at once
  PtxType sum;             // f32, or f16 where neither c nor d is more
  const uint16_t *at_a, *at_b, *at_c, *at_d;   // where the elements of lane 0, 1 .. are in the matrix
} Product;

// ---- fragments -----------------------------------------------------------------------------------------------------

bool matrix_fragment(SimDecoder *d, const PtxOperand *operand, MatrixRole role, int type, PtxShape shape,
                     MatrixFragment *out) {
  if (!matrix_form(d->in, operand, role, type, shape, out)) {
    d->why = "a matrix of this type and shape in so many registers";
    return false;
  }
  for (int i = 0; i < out->reg_count; i++) out->slots[i] = sim_slot_of(d, &operand->elems[i], out->reg_bytes);
  return d->why == NULL;
}

void matrix_take(SimExec *exec, const MatrixFragment *f, uint8_t bytes[SIM_LANES][MATRIX_LANE_BYTES]) {
  for (int r = 0; r < f->reg_count; r++)
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
      uint64_t value = sim_lane(exec->regs, f->slots[r], f->reg_bytes, lane);
      memcpy(bytes[lane] + r * f->reg_bytes, &value, f->reg_bytes);
    }
}

void matrix_give(SimExec *exec, const MatrixFragment *f, uint8_t bytes[SIM_LANES][MATRIX_LANE_BYTES]) {
  int size = f->per_lane * f->bits / 8;
  for (int r = 0; r < f->reg_count; r++)
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
      const uint8_t *from = bytes[lane] + r * f->reg_bytes % size;
      memcpy(exec->regs + f->slots[r] + lane * f->reg_bytes, from, f->reg_bytes);
    }
}

SimWarpOp matrix_everybody(SimProgram *program) {
  return (SimWarpOp){
      .aligned = true, .d = SIM_NO_SLOT, .p = SIM_NO_SLOT, .members = sim_slot_const(program, 4, SIM_FULL)};
}

// ---- values --------------------------------------------------------------------------------------------------------

static double value_of(int type, uint64_t bits) {
  double value;
  switch (type) {
  case PTX_S8: return (int8_t)bits;
  case PTX_S4: return (int8_t)(bits << 4) >> 4;
  case PTX_S32: return (int32_t)bits;
  case PTX_U8: case PTX_U4: case PTX_B32: return (double)bits;
  case PTX_F64: memcpy(&value, &bits, sizeof value); return value;
  default: return tensor_value((PtxType)type, (uint32_t)bits);
  }
}

static uint64_t bits_of(int type, double value, bool clamps) {
  uint64_t bits;
  switch (type) {
  case PTX_S32:
    if (clamps) value = LS_CLAMP(value, (double)INT32_MIN, (double)INT32_MAX);
    return (uint32_t)(int64_t)value;
  case PTX_F64: memcpy(&bits, &value, sizeof bits); return bits;
  default: return tensor_bits((PtxType)type, value);
  }
}

static uint64_t element(const uint8_t *bytes, int bits, int i) {
  uint64_t value = 0;
  if (bits == 4) return bytes[i / 2] >> (i % 2 * 4) & 15;
  memcpy(&value, bytes + i * bits / 8, (size_t)bits / 8);
  return value;
}

static void read_matrix(SimExec *exec, const MatrixFragment *f, const uint16_t *at, double *out) {
  uint8_t bytes[SIM_LANES][MATRIX_LANE_BYTES];
  matrix_take(exec, f, bytes);
  for (int lane = 0; lane < SIM_LANES; lane++)
    for (int i = 0; i < f->per_lane; i++) out[*at++] = value_of(f->type, element(bytes[lane], f->bits, i));
}

static void write_matrix(SimExec *exec, const MatrixFragment *f, const uint16_t *at, const double *values,
                         bool clamps) {
  uint8_t bytes[SIM_LANES][MATRIX_LANE_BYTES];
  for (int lane = 0; lane < SIM_LANES; lane++)
    for (int i = 0; i < f->per_lane; i++) {
      uint64_t value = bits_of(f->type, values[*at++], clamps);
      memcpy(bytes[lane] + i * f->bits / 8, &value, (size_t)f->bits / 8);
    }
  matrix_give(exec, f, bytes);
}

// ---- the product ---------------------------------------------------------------------------------------------------

// As fma.rn.f64 has it, also which NaN comes of several.
static double fused(double x, double y, double sum) {
  double result = fma(x, y, sum);
  if (!isnan(result)) return result;
  uint64_t bits = soft_fma(&soft_f64, bits_of(PTX_F64, x, false), bits_of(PTX_F64, y, false),
                           bits_of(PTX_F64, sum, false), PTX_RN);
  return value_of(PTX_F64, bits);
}

static void multiply(const Product *p, const double *a, const double *b, double *c) {
  int n = p->shape.n, depth = p->shape.k;
  bool is_f64 = p->d.type == PTX_F64;   // integers are exact anyway
  for (int row = 0; row < p->shape.m; row++)
    for (int k = 0; k < depth; k++)
      for (int col = 0; col < n; col++) {
        double x = a[row * depth + k], y = b[k * n + col], *sum = &c[row * n + col];
        *sum = is_f64 ? fused(x, y, *sum) : *sum + x * y;
      }
}

static void count_bits(const Product *p, const double *a, const double *b, double *c) {
  int n = p->shape.n, depth = p->shape.k;
  for (int row = 0; row < p->shape.m; row++)
    for (int k = 0; k < depth; k++)
      for (int col = 0; col < n; col++) {
        uint32_t x = (uint32_t)a[row * depth + k], y = (uint32_t)b[k * n + col];
        c[row * n + col] += __builtin_popcount(p->boolop == PTX_BOOL_AND ? x & y : x ^ y);
      }
}

static void set_exponents(const Product *p, int type, const double *values, int count, int16_t *exponents) {
  int least = tensor_least(p->rule, (PtxType)type);
  for (int i = 0; i < count; i++) exponents[i] = tensor_exponent(values[i], least);
}

// b by columns, and both with products where the rule wants them.
static void multiply_floats(const Product *p, const double *a, const double *b, double *c) {
  int m = p->shape.m, n = p->shape.n, depth = p->shape.k;
  int16_t of_a[MATRIX_MOST], of_b[MATRIX_MOST];
  set_exponents(p, p->a.type, a, m * depth, of_a);
  set_exponents(p, p->b.type, b, n * depth, of_b);
  for (int row = 0; row < m; row++)
    for (int col = 0; col < n; col++) {
      TensorRow left = {a + row * depth, of_a + row * depth}, right = {b + col * depth, of_b + col * depth};
      double *sum = &c[row * n + col];
      *sum = tensor_sum(p->rule, p->group, p->sum, left, right, depth, *sum);
    }
}

static SimNext exec_product(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const Product *p = inst->more;
  double a[MATRIX_MOST], b[MATRIX_MOST], c[MATRIX_MOST];
  SimNext next;
  uint32_t lanes = sim_gather_members(exec, &p->meet, mask, &next);
  if (!lanes) return next;
  exec->wrote = lanes;
  read_matrix(exec, &p->a, p->at_a, a);
  read_matrix(exec, &p->b, p->at_b, b);
  read_matrix(exec, &p->c, p->at_c, c);
  if (p->rule) multiply_floats(p, a, b, c);
  else if (p->boolop) count_bits(p, a, b, c);
  else multiply(p, a, b, c);
  write_matrix(exec, &p->d, p->at_d, c, p->clamps);
  if (sim_wants_event(exec)) { sim_event(exec, inst, lanes); sim_emit(exec); } else sim_skip_event(exec);
  exec->pc++;
  return next;
}

// ---- decoding ------------------------------------------------------------------------------------------------------

static bool types_fit(const Product *p) {
  int a = p->a.type, d = p->d.type;
  if (p->c.type != d && !(ptx_type_is_float((PtxType)d) && d != PTX_F64 && (p->c.type == PTX_F32 || p->c.type == PTX_F16)))
    return false;
  switch (a) {
  case PTX_F16: case PTX_E4M3: case PTX_E5M2: return d == PTX_F16 || d == PTX_F32;
  case PTX_BF16: case PTX_TF32: return d == PTX_F32;
  case PTX_F64: return d == PTX_F64;
  case PTX_U8: case PTX_S8: case PTX_U4: case PTX_S4: return d == PTX_S32;
  case PTX_B32: return d == PTX_S32 && p->boolop;
  default: return false;
  }
}

// wmma of tf32 is made of instructions with a k of 4.
static void set_rule(const SimDecoder *d, Product *p) {
  int most = p->a.opaque && p->a.type == PTX_TF32 ? 4 : p->shape.k;
  p->rule = tensor_rule(d->program->options.capability, (PtxType)p->a.type);
  if (!p->rule) return;
  p->group = LS_MIN(p->rule->group, most);
  p->sum = p->c.type == PTX_F16 && p->d.type == PTX_F16 ? PTX_F16 : PTX_F32;
}

// By rows; what is b of a tensor core's floats by columns.
static const uint16_t *places(const SimDecoder *d, const Product *p, const MatrixFragment *f) {
  uint16_t *places = LS_NEW_ARRAY(d->program->arena, uint16_t, SIM_LANES * f->per_lane);
  for (int lane = 0; lane < SIM_LANES; lane++)
    for (int i = 0; i < f->per_lane; i++) {
      int row, col, *k = f->role == MATRIX_A ? &col : &row;
      bool by_columns = p->rule && f->role == MATRIX_B;
      matrix_place(f, lane, i, &row, &col);
      if (p->rule && f->role != MATRIX_C) *k = tensor_place(p->rule, *k, p->shape.k);
      places[lane * f->per_lane + i] = (uint16_t)(by_columns ? col * f->rows + row : row * f->cols + col);
    }
  return places;
}

static void set_places(const SimDecoder *d, Product *p) {
  p->at_a = places(d, p, &p->a);
  p->at_b = places(d, p, &p->b);
  p->at_c = places(d, p, &p->c);
  p->at_d = places(d, p, &p->d);
}

// mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc: A and B as words of 32 bits.
static bool set_bits(const PtxInstr *in, Product *p) {
  if (in->type2 != PTX_B1 || in->type3 != PTX_B1) return !ptx_has(in, PTX_HAS_POPC);
  p->boolop = in->boolop;
  p->shape.k /= 32;
  return ptx_has(in, PTX_HAS_POPC) && (p->boolop == PTX_BOOL_AND || p->boolop == PTX_BOOL_XOR) && in->op == PTX_OP_mma;
}

// mma.sync.aligned.SHAPE.row.col.D.A.B.C d, a, b, c;  wmma.mma.sync.aligned.ALAYOUT.BLAYOUT.SHAPE.D.C (of f16), .D.A.B.C
static bool decode_product(SimDecoder *d) {
  const PtxInstr *in = d->in;
  Product *p = LS_NEW(d->program->arena, Product);
  bool opaque = in->op == PTX_OP_wmma, two = opaque && !in->type3;
  bool special = ptx_has(in, PTX_HAS_SP) || ptx_has(in, PTX_HAS_KIND);
  p->shape = in->shape;
  if (!(in->flags & PTX_F_ALIGNED) || special || !set_bits(in, p) || in->operand_count != 4 || !p->shape.k)
    return false;
  if (!opaque && p->shape.n != 8) return false;
  if (!opaque && p->shape.m == 8 && p->shape.k == 4 && in->type2 == PTX_F16) {
    d->why = "the layout of m8n8k4 with f16";
    return false;
  }
  int types[4] = {in->type, two ? PTX_F16 : in->type2, two ? PTX_F16 : in->type3, two ? in->type2 : in->type4};
  static const uint8_t roles[4] = {MATRIX_C, MATRIX_A, MATRIX_B, MATRIX_C};
  MatrixFragment *parts[4] = {&p->d, &p->a, &p->b, &p->c};
  for (int i = 0; i < 4; i++)
    if (!matrix_fragment(d, &in->operands[i], (MatrixRole)roles[i], types[i] == PTX_B1 ? PTX_B32 : types[i], p->shape,
                         parts[i]))
      return false;
  p->a.by_column = opaque && in->layout == PTX_COL;
  p->b.by_column = opaque && in->layout2 == PTX_COL;
  p->clamps = in->flags & PTX_F_SATFINITE;
  p->meet = matrix_everybody(d->program);
  if (!types_fit(p)) { d->why = "a product of these types"; return false; }
  set_rule(d, p);
  set_places(d, p);
  d->out->more = p;
  d->out->kind = TRACE_MATRIX;
  d->out->handler = exec_product;
  return true;
}

bool sim_decode_matrix(SimDecoder *d) {
  switch (d->in->op) {
  case PTX_OP_mma: return decode_product(d);
  case PTX_OP_wmma: return ptx_has(d->in, PTX_HAS_MMA) ? decode_product(d) : matrix_decode_wmma(d);
  case PTX_OP_ldmatrix: case PTX_OP_stmatrix: case PTX_OP_movmatrix: return matrix_decode_move(d);
  default: return false;
  }
}
