// fragment.c: which elements of a matrix a lane holds, and how wmma.load and wmma.store move them.
#include "sim/ops/fragment.h"

bool matrix_is_8x8(const PtxInstr *in) { return in->shape.m == 8 && in->shape.n == 8 && !in->shape.k; }

static int element_bits(int type) {
  switch (type) {
  case PTX_TF32: return 32;
  case PTX_U4: case PTX_S4: return 4;
  case PTX_B1: return 1;
  case PTX_E4M3: case PTX_E5M2: return 8;
  default: return ptx_type_size((PtxType)type) * 8;
  }
}

bool matrix_in_quads(const PtxInstr *in) {
  PtxShape s = in->shape;
  return in->op == PTX_OP_mma && in->type2 == PTX_F16 && s.m == 8 && s.n == 8 && s.k == 4;
}

bool matrix_form(const PtxInstr *in, const PtxOperand *operand, MatrixRole role, int type, PtxShape shape, MatrixFragment *out) {
  *out = (MatrixFragment){.role = (uint8_t)role, .type = (uint8_t)type, .bits = (uint8_t)element_bits(type)};
  out->quads = matrix_in_quads(in);
  out->rows = role == MATRIX_B ? shape.k : shape.m * (out->quads ? MATRIX_QUADS : 1);
  out->cols = role == MATRIX_A ? shape.k : shape.n * (out->quads && role == MATRIX_B ? MATRIX_QUADS : 1);
  out->per_lane = out->rows * out->cols / MATRIX_LANES;
  out->reg_bytes = out->bits == 64 ? 8 : 4;
  out->reg_count = operand->elem_count;
  out->opaque = in->op == PTX_OP_wmma;
  int have = out->reg_count * out->reg_bytes * 8, need = out->per_lane * out->bits;
  bool too_many = out->reg_count > MATRIX_REGS || out->rows * out->cols > MATRIX_MOST;
  return operand->kind == PTX_OPD_VEC && !too_many && need && (out->opaque ? have >= need && have % need == 0 : have == need);
}

// m8n8k4: lanes 4 q to 4 q + 3 and those 16 behind them hold product q.
static void place_in_quads(const MatrixFragment *f, int lane, int i, int *row, int *col) {
  int product = lane / 4 % MATRIX_QUADS * 8, t = lane % 4, lower = lane / 16 * 4;
  bool across = f->by_column == (f->role == MATRIX_A);   // of A and B: the elements of a lane differ in m or n, not in k
  if (f->role == MATRIX_A) {
    *row = product + (across ? i : t) + lower;
    *col = across ? t : i;
  } else if (f->role == MATRIX_B) {
    *row = across ? t : i;
    *col = product + (across ? i : t) + lower;
  } else if (f->bits == 16) {
    *row = product + t + lower;
    *col = i;
  } else {
    *row = product + (t & 1) + (i & 2) + lower;
    *col = (i & 4) + (t & 2) + (i & 1);
  }
}

void matrix_place(const MatrixFragment *f, int lane, int i, int *row, int *col) {
  int g = lane / 4, t = lane % 4, e = f->reg_bytes * 8 / f->bits, r = i / e, j = i % e;
  if (f->opaque) {
    int at = lane * f->per_lane + i;
    *row = f->by_column ? at % f->rows : at / f->cols;
    *col = f->by_column ? at / f->rows : at % f->cols;
  } else if (f->quads) {
    place_in_quads(f, lane, i, row, col);
  } else if (f->role == MATRIX_A) {
    *row = g + 8 * (r % 2);
    *col = 4 * e * (r / 2) + t * e + j;
    if (f->rows == 8) *col = 4 * e * r + t * e + j, *row = g;
  } else if (f->role == MATRIX_B) {
    *row = 4 * e * r + t * e + j;
    *col = g;
  } else {
    *row = g + 8 * (i / 2);
    *col = 2 * t + i % 2;
  }
}

// ---- wmma.load and wmma.store --------------------------------------------------------------------------------------

// wmma.load.a.sync.aligned.row.SHAPE.global.f16 {d...}, [address], stride;  wmma.store.d... [address], {d...}, stride
bool matrix_transfer(const PtxInstr *in, MatrixTransfer *t) {
  bool store = in->op == PTX_OP_wmma && ptx_has(in, PTX_HAS_STORE), load = in->op == PTX_OP_wmma && ptx_has(in, PTX_HAS_LOAD);
  *t = (MatrixTransfer){.load = load, .by_column = in->layout == PTX_COL};
  if (load == store || !in->shape.k || in->operand_count < 2) return false;
  MatrixRole role = !load ? MATRIX_C : in->part == PTX_PART_A ? MATRIX_A : in->part == PTX_PART_B ? MATRIX_B : MATRIX_C;
  t->list = &in->operands[t->load ? 0 : 1];
  t->address = &in->operands[t->load ? 1 : 0];
  t->stride = in->operand_count > 2 ? &in->operands[2] : NULL;
  if (!matrix_form(in, t->list, role, in->type, in->shape, &t->fragment)) return false;
  t->fragment.by_column = role != MATRIX_C && t->by_column;
  t->line = t->by_column ? t->fragment.rows : t->fragment.cols;
  int size = t->fragment.per_lane * t->fragment.bits / 8;
  bool same_order = t->by_column == t->fragment.by_column;
  t->chunk = same_order ? (size < 16 ? size : 16) : t->fragment.bits / 8;
  t->chunks = size / t->chunk;
  return true;
}

uint64_t matrix_chunk_at(const MatrixTransfer *t, int lane, int i, uint32_t stride) {
  int row, col;
  matrix_place(&t->fragment, lane, i * t->chunk * 8 / t->fragment.bits, &row, &col);
  uint64_t line = (uint64_t)(t->by_column ? col : row), at = (uint64_t)(t->by_column ? row : col);
  return (line * stride + at) * t->fragment.bits / 8;
}
