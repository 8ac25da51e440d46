// exec_matrix.c: products of small matrices across the warp: mma and wmma.mma.
//
// f16, bf16, tf32 and 8-bit floats are summed as the assumed device's tensor cores do (alu/tensor.h). f64 is a chain of
// fused multiply-adds in the order of k. Integers are exact. Matrices of bits are of words here: a depth of 256 is 8.
// A sparse A (sparse.h) is multiplied as a dense one of half the depth, by those elements of B that its own stand for.
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
#include "sim/ops/sparse.h"

typedef struct Product {
  SimWarpOp meet;
  MatrixFragment d, a, b, c;
  PtxShape shape;
  int depth;               // products of a sum
  SparseForm sparse;       // of a sparse A, which has `depth` columns that are stored
  uint32_t metadata;       // slot; SIM_NO_SLOT: A is dense
  bool clamps;             // .satfinite of integers; of wmma's f16: what comes of f32 sums is cut off
  uint8_t boolop;          // PtxBool: of bits, whose ones are counted
  const TensorRule *rule;  // NULL: f64 and integers
  bool by_threads;         // m8n8k4 of f16 where no tensor core has it
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
      uint8_t *to = bytes[lane] + r * f->reg_bytes;
      if (f->reg_bytes == 8) memcpy(to, &sim_u64(exec->regs, f->slots[r])[lane], 8);
      else memcpy(to, &sim_u32(exec->regs, f->slots[r])[lane], 4);
    }
}

void matrix_give(SimExec *exec, const MatrixFragment *f, uint8_t bytes[SIM_LANES][MATRIX_LANE_BYTES]) {
  int size = f->per_lane * f->bits / 8;
  for (int r = 0; r < f->reg_count; r++)
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
      const uint8_t *from = bytes[lane] + r * f->reg_bytes % size;
      if (f->reg_bytes == 8) memcpy(&sim_u64(exec->regs, f->slots[r])[lane], from, 8);
      else memcpy(&sim_u32(exec->regs, f->slots[r])[lane], from, 4);
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
  case PTX_F16: return clamps ? tensor_cut_f16(value) : tensor_bits(PTX_F16, value);
  default: return tensor_bits((PtxType)type, value);
  }
}

// Element i of every lane, out of its register.
static void take_elements(const SimExec *exec, const MatrixFragment *f, int i, uint64_t raw[SIM_LANES]) {
  int bit = i * f->bits, width = f->reg_bytes * 8, shift = bit % width;
  uint64_t kept = f->bits == 64 ? UINT64_MAX : (1ull << f->bits) - 1;
  const uint64_t *wide = sim_u64(exec->regs, f->slots[bit / width]);
  const uint32_t *narrow = sim_u32(exec->regs, f->slots[bit / width]);
  if (f->reg_bytes == 8) for (int lane = 0; lane < SIM_LANES; lane++) raw[lane] = wide[lane] >> shift & kept;
  else for (int lane = 0; lane < SIM_LANES; lane++) raw[lane] = narrow[lane] >> shift & kept;
}

static void values_of(int type, const uint64_t raw[SIM_LANES], double values[SIM_LANES]) {
  uint32_t bits[SIM_LANES];
  for (int lane = 0; lane < SIM_LANES; lane++) bits[lane] = (uint32_t)raw[lane];
  if (type == PTX_F16 || type == PTX_F32) tensor_values((PtxType)type, bits, values, SIM_LANES);
  else for (int lane = 0; lane < SIM_LANES; lane++) values[lane] = value_of(type, raw[lane]);
}

static void read_matrix(SimExec *exec, const MatrixFragment *f, const uint16_t *at, double *out) {
  uint64_t raw[SIM_LANES];
  double values[SIM_LANES];
  for (int i = 0; i < f->per_lane; i++) {
    take_elements(exec, f, i, raw);
    values_of(f->type, raw, values);
    for (int lane = 0; lane < SIM_LANES; lane++) out[at[lane * f->per_lane + i]] = values[lane];
  }
}

static void write_matrix(SimExec *exec, const MatrixFragment *f, const uint16_t *at, const double *values,
                         bool clamps) {
  if (f->bits == 32 && f->reg_bytes == 4 && f->per_lane == f->reg_count) {
    for (int lane = 0; lane < SIM_LANES; lane++)
      for (int i = 0; i < f->per_lane; i++)
        sim_u32(exec->regs, f->slots[i])[lane] = (uint32_t)bits_of(f->type, values[*at++], clamps);
    return;
  }
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

// A row of A and what it is multiplied by: of floats (p->rule) by columns, else by rows. Exponents: of floats.
typedef struct Factors { const double *a, *b; const int16_t *of_a, *of_b; } Factors;

static void multiply(const Product *p, const Factors *f, double *c) {
  int n = p->shape.n;
  bool is_f64 = p->d.type == PTX_F64;   // integers are exact anyway
  for (int k = 0; k < p->depth; k++)
    for (int col = 0; col < n; col++) {
      double x = f->a[k], y = f->b[k * n + col];
      c[col] = is_f64 ? fused(x, y, c[col]) : c[col] + x * y;
    }
}

static void count_bits(const Product *p, const Factors *f, double *c) {
  int n = p->shape.n;
  for (int k = 0; k < p->depth; k++)
    for (int col = 0; col < n; col++) {
      uint32_t x = (uint32_t)f->a[k], y = (uint32_t)f->b[k * n + col];
      c[col] += __builtin_popcount(p->boolop == PTX_BOOL_AND ? x & y : x ^ y);
    }
}

static void multiply_floats(const Product *p, const Factors *f, double *c) {
  TensorRow left = {f->a, f->of_a};
  for (int col = 0; col < p->shape.n; col++) {
    if (p->by_threads) { c[col] = tensor_quad_sum(p->sum, f->a, f->b + col * p->depth, c[col]); continue; }
    TensorRow right = {f->b + col * p->depth, f->of_b + col * p->depth};
    c[col] = tensor_sum(p->rule, p->group, p->sum, left, right, p->depth, c[col]);
  }
}

static void multiply_row(const Product *p, const Factors *f, double *c) {
  if (p->rule) multiply_floats(p, f, c);
  else if (p->boolop) count_bits(p, f, c);
  else multiply(p, f, c);
}

// What the stored elements of a row are multiplied by, as if B were no deeper than that.
static void choose_factors(const Product *p, const uint32_t *metadata, int row, const Factors *all, double *b,
                           int16_t *of_b) {
  int n = p->shape.n, k = p->shape.k;
  for (int i = 0; i < p->depth; i++) {
    int from = sparse_column(&p->sparse, metadata, row, i), to = p->rule ? tensor_place(p->rule, i, p->depth) : i;
    for (int col = 0; col < n; col++) {
      int at = p->rule ? col * p->depth + to : to * n + col, there = p->rule ? col * k + from : from * n + col;
      b[at] = all->b[there];
      if (p->rule) of_b[at] = all->of_b[there];
    }
  }
}

static void multiply_sparse(SimExec *exec, const Product *p, const Factors *all, double *c) {
  double b[MATRIX_MOST];
  int16_t of_b[MATRIX_MOST];
  const uint32_t *metadata = sim_u32(exec->regs, p->metadata);
  for (int row = 0; row < p->a.rows; row++) {
    choose_factors(p, metadata, row, all, b, of_b);
    Factors f = {all->a + row * p->depth, b, all->of_a + row * p->depth, of_b};
    multiply_row(p, &f, c + row * p->shape.n);
  }
}

static void multiply_dense(const Product *p, const Factors *all, double *c) {
  for (int row = 0; row < p->a.rows; row++) {
    int b = p->d.quads ? row / p->shape.m * p->shape.n * p->depth : 0;   // each product has a B of its own
    Factors f = {all->a + row * p->depth, all->b + b, all->of_a + row * p->depth, all->of_b + b};
    multiply_row(p, &f, c + row * p->shape.n);
  }
}

static void set_exponents(const Product *p, const MatrixFragment *f, const double *values, int16_t *exponents) {
  if (!p->rule) return;
  int least = tensor_least(p->rule, (PtxType)f->type);
  for (int i = 0; i < f->rows * f->cols; i++) exponents[i] = tensor_exponent(values[i], least);
}

static SimNext exec_product(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const Product *p = inst->more;
  double a[MATRIX_MOST], b[MATRIX_MOST], c[MATRIX_MOST];
  int16_t of_a[MATRIX_MOST], of_b[MATRIX_MOST];
  SimNext next;
  uint32_t lanes = sim_gather_members(exec, &p->meet, mask, &next);
  if (!lanes) return next;
  exec->wrote = lanes;
  read_matrix(exec, &p->a, p->at_a, a);
  read_matrix(exec, &p->b, p->at_b, b);
  read_matrix(exec, &p->c, p->at_c, c);
  set_exponents(p, &p->a, a, of_a);
  set_exponents(p, &p->b, b, of_b);
  Factors all = {a, b, of_a, of_b};
  if (p->metadata != SIM_NO_SLOT) multiply_sparse(exec, p, &all, c);
  else multiply_dense(p, &all, c);
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
  int most = p->a.opaque && p->a.type == PTX_TF32 ? 4 : p->depth;
  p->rule = tensor_rule(d->program->options.capability, (PtxType)p->a.type);
  if (!p->rule) return;
  p->group = LS_MIN(p->rule->group, most);
  p->sum = p->c.type == PTX_F16 && p->d.type == PTX_F16 ? PTX_F16 : PTX_F32;
  p->by_threads = p->d.quads && !tensor_has_quads(d->program->options.capability);
}

// By rows; what is b of a tensor core's floats by columns. Floats have the place that their rule wants, in a sparse
// product those of A only.
static const uint16_t *places(const SimDecoder *d, const Product *p, const MatrixFragment *f) {
  uint16_t *places = LS_NEW_ARRAY(d->program->arena, uint16_t, SIM_LANES * f->per_lane);
  for (int lane = 0; lane < SIM_LANES; lane++)
    for (int i = 0; i < f->per_lane; i++) {
      int row, col, *k = f->role == MATRIX_A ? &col : &row;
      bool by_columns = p->rule && f->role == MATRIX_B;
      matrix_place(f, lane, i, &row, &col);
      bool placed = f->role == MATRIX_A || (f->role == MATRIX_B && p->metadata == SIM_NO_SLOT);
      if (p->rule && placed) *k = tensor_place(p->rule, *k, p->depth);
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
  return ptx_has(in, PTX_HAS_POPC) && (p->boolop == PTX_BOOL_AND || p->boolop == PTX_BOOL_XOR);
}

// mma.sp.sync.aligned.SHAPE.row.col.D.A.B.C d, a, b, c, metadata, selector
static bool set_sparse(SimDecoder *d, Product *p) {
  const PtxInstr *in = d->in;
  bool sparse = in->op == PTX_OP_mma && ptx_has(in, PTX_HAS_SP);
  p->depth = p->shape.k;
  p->metadata = SIM_NO_SLOT;
  if (!sparse) return in->operand_count == 4;
  if (in->operand_count != 6 || p->shape.m != 16 || in->operands[5].kind != PTX_OPD_IMM) return false;
  if (!sparse_form((PtxType)in->type2, p->shape.k, in->operands[5].imm, &p->sparse)) {
    d->why = "a sparse matrix of this type and shape with this selector";
    return false;
  }
  p->depth = p->shape.k / 2;
  p->metadata = sim_slot_of(d, &in->operands[4], 4);
  return true;
}

static bool set_fragments(SimDecoder *d, Product *p) {
  const PtxInstr *in = d->in;
  bool two = in->op == PTX_OP_wmma && !in->type3;
  int types[4] = {in->type, two ? PTX_F16 : in->type2, two ? PTX_F16 : in->type3, two ? in->type2 : in->type4};
  static const uint8_t roles[4] = {MATRIX_C, MATRIX_A, MATRIX_B, MATRIX_C};
  MatrixFragment *parts[4] = {&p->d, &p->a, &p->b, &p->c};
  for (int i = 0; i < 4; i++) {
    PtxShape shape = p->shape;
    if (roles[i] == MATRIX_A) shape.k = (uint16_t)p->depth;
    int type = types[i] == PTX_B1 ? PTX_B32 : types[i];
    if (!matrix_fragment(d, &in->operands[i], (MatrixRole)roles[i], type, shape, parts[i])) return false;
  }
  p->a.by_column = (p->a.opaque || p->a.quads) && in->layout == PTX_COL;
  p->b.by_column = (p->b.opaque || p->b.quads) && in->layout2 == PTX_COL;
  return true;
}

static bool clamps_floats(SimDecoder *d) {
  const PtxModule *m = d->program->module;
  if (m->version_major < 6 || (m->version_major == 6 && m->version_minor < 5)) return d->in->op == PTX_OP_wmma;
  d->why = ".satfinite on floats, which PTX has until version 6.4";
  return false;
}

// mma.sync.aligned.SHAPE.row.col.D.A.B.C d, a, b, c;  wmma.mma.sync.aligned.ALAYOUT.BLAYOUT.SHAPE.D.C (of f16), .D.A.B.C
static bool decode_product(SimDecoder *d) {
  const PtxInstr *in = d->in;
  Product *p = LS_NEW(d->program->arena, Product);
  p->shape = in->shape;
  if (ptx_has(in, PTX_HAS_KIND)) d->why = "narrow types with .kind, which sm_100 and sm_120 have";
  if (!(in->flags & PTX_F_ALIGNED) || d->why || !set_bits(in, p) || !p->shape.k) return false;
  if (in->op == PTX_OP_mma && p->shape.n != 8) return false;
  if (!set_sparse(d, p) || !set_fragments(d, p)) return false;
  p->clamps = in->flags & PTX_F_SATFINITE;
  if (p->clamps && ptx_type_is_float((PtxType)p->d.type) && !clamps_floats(d)) return false;
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
  case PTX_OP_wgmma:
    d->why = "wgmma, by which four warps multiply matrices of shared memory; a warp does it by mma.sync";
    return false;
  case PTX_OP_tcgen05:
    d->why = "tcgen05, by which blocks multiply matrices in the tensor memory of sm_100; a warp does it by mma.sync";
    return false;
  case PTX_OP_mma: return decode_product(d);
  case PTX_OP_wmma: return ptx_has(d->in, PTX_HAS_MMA) ? decode_product(d) : matrix_decode_wmma(d);
  case PTX_OP_ldmatrix: case PTX_OP_stmatrix: case PTX_OP_movmatrix: return matrix_decode_move(d);
  default: return false;
  }
}
