// exec_matrix.c: products of small matrices across the warp: mma and wmma.mma.
//
// Products are exact and sums are made in double precision, one k after the other, and rounded once to the type of the
// result. Tensor cores add several products at once and cut off low bits, so their last bits differ from these.
#include <math.h>
#include <string.h>
#include "sim/alu/alu_soft.h"
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

static double single(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double e4m3(uint32_t bits) {   // no infinities; all ones is a NaN
  int exponent = (int)(bits >> 3 & 15), fraction = (int)(bits & 7);
  double value = exponent ? ldexp(8 + fraction, exponent - 10) : ldexp(fraction, -9);
  if ((bits & 0x7f) == 0x7f) value = NAN;
  return bits & 0x80 ? -value : value;
}

static double value_of(int type, uint64_t bits) {
  double value;
  switch (type) {
  case PTX_F16: return sim_f16_to_f32((uint16_t)bits);
  case PTX_BF16: return single((uint32_t)bits << 16);
  case PTX_TF32: return single((uint32_t)bits & 0xffffe000u);
  case PTX_F32: return single((uint32_t)bits);
  case PTX_E5M2: return sim_f16_to_f32((uint16_t)(bits << 8));
  case PTX_E4M3: return e4m3((uint32_t)bits);
  case PTX_S8: return (int8_t)bits;
  case PTX_S4: return (int8_t)(bits << 4) >> 4;
  case PTX_S32: return (int32_t)bits;
  case PTX_U8: case PTX_U4: return (double)bits;
  default: memcpy(&value, &bits, sizeof value); return value;
  }
}

static uint64_t bits_of(int type, double value, bool clamps) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  switch (type) {
  case PTX_F16: return soft_convert(&soft_f64, &soft_f16, bits, PTX_RN);
  case PTX_F32: return soft_convert(&soft_f64, &soft_f32, bits, PTX_RN);
  case PTX_S32:
    if (clamps) value = LS_CLAMP(value, (double)INT32_MIN, (double)INT32_MAX);
    return (uint32_t)(int64_t)value;
  default: return bits;
  }
}

static uint64_t element(const uint8_t *bytes, int bits, int i) {
  uint64_t value = 0;
  if (bits == 4) return bytes[i / 2] >> (i % 2 * 4) & 15;
  memcpy(&value, bytes + i * bits / 8, (size_t)bits / 8);
  return value;
}

static void read_matrix(SimExec *exec, const MatrixFragment *f, double *out) {
  uint8_t bytes[SIM_LANES][MATRIX_LANE_BYTES];
  matrix_take(exec, f, bytes);
  for (int lane = 0; lane < SIM_LANES; lane++)
    for (int i = 0; i < f->per_lane; i++) {
      int row, col;
      matrix_place(f, lane, i, &row, &col);
      out[row * f->cols + col] = value_of(f->type, element(bytes[lane], f->bits, i));
    }
}

static void write_matrix(SimExec *exec, const MatrixFragment *f, const double *values, bool clamps) {
  uint8_t bytes[SIM_LANES][MATRIX_LANE_BYTES];
  for (int lane = 0; lane < SIM_LANES; lane++)
    for (int i = 0; i < f->per_lane; i++) {
      int row, col;
      matrix_place(f, lane, i, &row, &col);
      uint64_t value = bits_of(f->type, values[row * f->cols + col], clamps);
      memcpy(bytes[lane] + i * f->bits / 8, &value, (size_t)f->bits / 8);
    }
  matrix_give(exec, f, bytes);
}

// ---- the product ---------------------------------------------------------------------------------------------------

static void multiply(const Product *p, const double *a, const double *b, double *c) {
  int n = p->shape.n, depth = p->shape.k;
  bool fused = p->d.type == PTX_F64;   // elsewhere the product is exact anyway
  for (int row = 0; row < p->shape.m; row++)
    for (int k = 0; k < depth; k++)
      for (int col = 0; col < n; col++) {
        double x = a[row * depth + k], y = b[k * n + col], *sum = &c[row * n + col];
        *sum = fused ? fma(x, y, *sum) : *sum + x * y;
      }
}

static SimNext exec_product(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const Product *p = inst->more;
  double a[MATRIX_MOST], b[MATRIX_MOST], c[MATRIX_MOST];
  SimNext next;
  uint32_t lanes = sim_gather_members(exec, &p->meet, mask, &next);
  if (!lanes) return next;
  exec->wrote = lanes;
  read_matrix(exec, &p->a, a);
  read_matrix(exec, &p->b, b);
  read_matrix(exec, &p->c, c);
  multiply(p, a, b, c);
  write_matrix(exec, &p->d, c, p->clamps);
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
  default: return false;
  }
}

// mma.sync.aligned.SHAPE.row.col.D.A.B.C d, a, b, c;  wmma.mma.sync.aligned.ALAYOUT.BLAYOUT.SHAPE.D.C (of f16), .D.A.B.C
static bool decode_product(SimDecoder *d) {
  const PtxInstr *in = d->in;
  Product *p = LS_NEW(d->program->arena, Product);
  bool opaque = in->op == PTX_OP_wmma, two = opaque && !in->type3;
  bool special = ptx_has(in, PTX_HAS_SP) || ptx_has(in, PTX_HAS_KIND) || ptx_has(in, PTX_HAS_POPC);
  p->shape = in->shape;
  if (!(in->flags & PTX_F_ALIGNED) || special || in->operand_count != 4 || !p->shape.k) return false;
  if (!opaque && p->shape.n != 8) return false;
  if (!opaque && p->shape.m == 8 && p->shape.k == 4 && in->type2 == PTX_F16) {
    d->why = "the layout of m8n8k4 with f16";
    return false;
  }
  int types[4] = {in->type, two ? PTX_F16 : in->type2, two ? PTX_F16 : in->type3, two ? in->type2 : in->type4};
  static const uint8_t roles[4] = {MATRIX_C, MATRIX_A, MATRIX_B, MATRIX_C};
  MatrixFragment *parts[4] = {&p->d, &p->a, &p->b, &p->c};
  for (int i = 0; i < 4; i++)
    if (!matrix_fragment(d, &in->operands[i], (MatrixRole)roles[i], types[i], p->shape, parts[i])) return false;
  p->a.by_column = opaque && in->layout == PTX_COL;
  p->b.by_column = opaque && in->layout2 == PTX_COL;
  p->clamps = in->flags & PTX_F_SATFINITE;
  p->meet = matrix_everybody(d->program);
  if (!types_fit(p)) { d->why = "a product of these types"; return false; }
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
