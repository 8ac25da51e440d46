// exec_move.c: moves that are not one slot to another: vectors, addresses, conversions between address spaces.
//
// They are written as SimAlu operations, so that they run in straight lines with arithmetic.
#include <string.h>
#include "sim/core/event.h"
#include "sim/core/slots.h"
#include "sim/ops/decoders.h"

// ---- vectors: mov.b64 %rd, {%r1, %r2} and back ---------------------------------------------------------------------
// op.imm: elements; op.type: bits of an element. pack: d from a, b, c, e. unpack: d, d2, a, b from c.

static uint64_t element(uint8_t *regs, uint32_t slot, unsigned bits, uint32_t lane) {
  uint64_t value = sim_u32(regs, slot)[lane];
  return bits >= 32 ? value : value & ((1u << bits) - 1);
}

static void pack32(uint8_t *regs, const SimOp *op, uint32_t mask) {
  const uint32_t from[] = {op->a, op->b, op->c, op->e};
  unsigned bits = op->type;
  SIM_FOR_LANES(i, mask) {
    uint64_t value = 0;
    for (unsigned k = 0; k < op->imm; k++) value |= element(regs, from[k], bits, i) << (k * bits);
    sim_u32(regs, op->d)[i] = (uint32_t)value;
  }
}

static void pack64(uint8_t *regs, const SimOp *op, uint32_t mask) {
  const uint32_t from[] = {op->a, op->b, op->c, op->e};
  unsigned bits = op->type;
  SIM_FOR_LANES(i, mask) {
    uint64_t value = 0;
    for (unsigned k = 0; k < op->imm; k++) value |= element(regs, from[k], bits, i) << (k * bits);
    sim_u64(regs, op->d)[i] = value;
  }
}

static void unpack_value(uint8_t *regs, const SimOp *op, uint32_t lane, uint64_t value) {
  const uint32_t to[] = {op->d, op->d2, op->a, op->b};
  unsigned bits = op->type;
  for (unsigned k = 0; k < op->imm; k++)
    sim_u32(regs, to[k])[lane] = (uint32_t)(value >> (k * bits)) & (bits >= 32 ? SIM_FULL : (1u << bits) - 1);
}

static void unpack32(uint8_t *regs, const SimOp *op, uint32_t mask) {
  SIM_FOR_LANES(i, mask) unpack_value(regs, op, i, sim_u32(regs, op->c)[i]);
}

static void unpack64(uint8_t *regs, const SimOp *op, uint32_t mask) {
  SIM_FOR_LANES(i, mask) unpack_value(regs, op, i, sim_u64(regs, op->c)[i]);
}

static bool decode_vector(SimDecoder *d) {
  const PtxOperand *to = &d->in->operands[0], *from = &d->in->operands[1];
  const PtxOperand *vec = to->kind == PTX_OPD_VEC ? to : from;
  int bytes = ptx_type_size((PtxType)d->in->type), count = vec->elem_count;
  SimOp *op = &d->out->op;
  if (bytes > 8 || count < 2 || count > 4 || bytes * 8 / count > 32) {
    d->why = "a vector of this shape";
    return false;
  }
  op->imm = (uint32_t)count;
  op->type = (uint8_t)(bytes * 8 / count);
  uint32_t *packs[] = {&op->a, &op->b, &op->c, &op->e}, *unpacks[] = {&op->d, &op->d2, &op->a, &op->b};
  for (int k = 0; k < count; k++) *(vec == to ? unpacks : packs)[k] = sim_slot_of(d, &vec->elems[k], 4);
  if (vec == to) op->c = sim_slot_of(d, from, bytes == 8 ? 8 : 4);
  else op->d = sim_slot_of(d, to, bytes == 8 ? 8 : 4);
  op->run = vec == to ? (bytes == 8 ? unpack64 : unpack32) : bytes == 8 ? pack64 : pack32;
  return true;
}

// ---- mov.v4 {%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, %r8} --------------------------------------------------------------
// All are read before any is written.

typedef struct Moves { int count, bytes; uint32_t from[SIM_MAX_VEC], to[SIM_MAX_VEC]; } Moves;

static SimNext exec_moves(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const Moves *m = inst->more;
  uint64_t values[SIM_MAX_VEC][SIM_LANES];
  for (int k = 0; k < m->count; k++)
    SIM_FOR_LANES(i, mask) values[k][i] = sim_lane(exec->regs, m->from[k], m->bytes, i);
  for (int k = 0; k < m->count; k++) SIM_FOR_LANES(i, mask) {
    if (m->bytes == 8) sim_u64(exec->regs, m->to[k])[i] = values[k][i];
    else sim_u32(exec->regs, m->to[k])[i] = (uint32_t)values[k][i];
  }
  if (exec->recording) { sim_event(exec, inst, mask); sim_emit(exec); } else sim_skip_event(exec);
  exec->pc++;
  return SIM_GO;
}

static bool decode_moves(SimDecoder *d) {
  const PtxOperand *to = &d->in->operands[0], *from = &d->in->operands[1];
  Moves *m = LS_NEW(d->program->arena, Moves);
  if (to->elem_count != d->in->vec || from->elem_count != d->in->vec) { d->why = "a vector of another length"; return false; }
  m->count = d->in->vec;
  m->bytes = ptx_type_size((PtxType)d->in->type) == 8 ? 8 : 4;
  for (int k = 0; k < m->count; k++) {
    m->from[k] = sim_slot_of(d, &from->elems[k], m->bytes);
    m->to[k] = sim_slot_of(d, &to->elems[k], m->bytes);
  }
  d->out->more = m;
  d->out->handler = exec_moves;
  return true;
}

// ---- mov.b128 %q, {%rd1, %rd2} and back ----------------------------------------------------------------------------

typedef struct WideSide { int count; uint32_t slots[4]; } WideSide;   // two halves, or four words
typedef struct WideMove { WideSide to, from; } WideMove;

static SimNext exec_wide_move(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const WideMove *m = inst->more;
  SIM_FOR_LANES(i, mask) {
    uint64_t half[2];
    for (int k = 0; k < 2; k++)
      half[k] = m->from.count == 2 ? sim_u64(exec->regs, m->from.slots[k])[i]
                                   : sim_u32(exec->regs, m->from.slots[2 * k])[i] |
                                         (uint64_t)sim_u32(exec->regs, m->from.slots[2 * k + 1])[i] << 32;
    for (int k = 0; k < m->to.count; k++) {
      if (m->to.count == 2) sim_u64(exec->regs, m->to.slots[k])[i] = half[k];
      else sim_u32(exec->regs, m->to.slots[k])[i] = (uint32_t)(half[k / 2] >> 32 * (k % 2));
    }
  }
  if (exec->recording) { sim_event(exec, inst, mask); sim_emit(exec); } else sim_skip_event(exec);
  exec->pc++;
  return SIM_GO;
}

static WideSide wide_side(SimDecoder *d, const PtxOperand *o) {
  WideSide side = {.count = 2};
  if (o->kind == PTX_OPD_IMM) {   // its upper half is 0, also of a negative one
    side.slots[0] = sim_slot_const(d->program, 8, o->imm);
    side.slots[1] = sim_slot_const(d->program, 8, 0);
  } else if (o->kind != PTX_OPD_VEC) {
    side.slots[0] = sim_slot_of(d, o, 16);
    side.slots[1] = side.slots[0] + SIM_HIGH_HALVES;
  } else if (o->elem_count == 2 || o->elem_count == 4) {
    side.count = o->elem_count;
    for (int k = 0; k < side.count; k++) side.slots[k] = sim_slot_of(d, &o->elems[k], 16 / side.count);
  } else {
    d->why = "a vector of this shape";
  }
  return side;
}

static bool decode_wide(SimDecoder *d) {
  WideMove *m = LS_NEW(d->program->arena, WideMove);
  m->to = wide_side(d, &d->in->operands[0]);
  m->from = wide_side(d, &d->in->operands[1]);
  d->out->more = m;
  d->out->handler = exec_wide_move;
  return true;
}

// ---- addresses -----------------------------------------------------------------------------------------------------

static void copy64(uint8_t *regs, const SimOp *op, uint32_t mask) {
  uint64_t *d = sim_u64(regs, op->d);
  const uint64_t *a = sim_u64(regs, op->a);
  if (mask == SIM_FULL) memmove(d, a, sizeof *d * SIM_LANES);
  else SIM_FOR_LANES(i, mask) d[i] = a[i];
}

static void add64(uint8_t *regs, const SimOp *op, uint32_t mask) {
  uint64_t *d = sim_u64(regs, op->d);
  const uint64_t *a = sim_u64(regs, op->a), *b = sim_u64(regs, op->b);
  if (mask == SIM_FULL) for (int i = 0; i < SIM_LANES; i++) d[i] = a[i] + b[i];
  else SIM_FOR_LANES(i, mask) d[i] = a[i] + b[i];
}

static uint64_t window_of(PtxSpace space) {
  switch (space) {
  case PTX_SHARED: return SIM_SHARED_WINDOW;
  case PTX_LOCAL: return SIM_LOCAL_WINDOW;
  case PTX_PARAM: return SIM_PARAM_WINDOW;
  default: return 0;
  }
}

static bool decode_cvta(SimDecoder *d) {
  const PtxInstr *in = d->in;
  SimOp *op = &d->out->op;
  if (ptx_type_size((PtxType)in->type) != 8) { d->why = "32-bit addresses"; return false; }
  uint64_t window = window_of((PtxSpace)in->space);
  op->a = sim_slot_of(d, &in->operands[1], 8);
  op->d = sim_slot_of(d, &in->operands[0], 8);
  if (in->mode == PTX_TO) window = 0 - window;
  op->b = sim_slot_const(d->program, 8, window);
  op->run = window ? add64 : copy64;
  return true;
}

static bool in_space(uint64_t address, PtxSpace space) {
  uint64_t window = address & ~(SIM_WINDOW_BYTES - 1);
  switch (space) {
  case PTX_SHARED: return window == SIM_SHARED_WINDOW;
  case PTX_LOCAL: return window == SIM_LOCAL_WINDOW;
  case PTX_PARAM: return window == SIM_PARAM_WINDOW;
  case PTX_CONST: return address >= SIM_CONST_BASE && address < SIM_LOCAL_WINDOW;
  default: return address >= SIM_GLOBAL_BASE || address < SIM_PARAM_WINDOW;
  }
}

static void isspacep(uint8_t *regs, const SimOp *op, uint32_t mask) {
  uint32_t bits = sim_pred(regs, op->d) & ~mask;
  SIM_FOR_LANES(i, mask) if (in_space(sim_u64(regs, op->a)[i], (PtxSpace)op->imm)) bits |= 1u << i;
  memcpy(regs + op->d, &bits, sizeof bits);
}

static bool decode_isspacep(SimDecoder *d) {
  SimOp *op = &d->out->op;
  op->d = sim_slot_of(d, &d->in->operands[0], 1);
  op->a = sim_slot_of(d, &d->in->operands[1], 8);
  op->imm = d->in->space;
  op->run = isspacep;
  return true;
}

// The address of a local variable of a recursive function depends on the call.
static SimNext exec_frame_address(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const uint32_t *frames = exec->frames + sim_warp_index(exec) * SIM_LANES;
  SIM_FOR_LANES(i, mask) {
    uint64_t address = inst->op.imm + (uint64_t)frames[i];
    if (inst->op.type == 8) sim_u64(exec->regs, inst->op.d)[i] = address;
    else sim_u32(exec->regs, inst->op.d)[i] = (uint32_t)address;
  }
  if (exec->recording) { sim_event(exec, inst, mask); sim_emit(exec); } else sim_skip_event(exec);
  exec->pc++;
  return SIM_GO;
}

static bool decode_variable(SimDecoder *d, const PtxOperand *from) {
  const PtxVar *var = &d->program->module->vars[from->var];
  int bytes = ptx_type_size((PtxType)d->in->type) == 8 ? 8 : 4;
  d->out->op.d = sim_slot_of(d, &d->in->operands[0], bytes);
  if (var->space == PTX_LOCAL && var->func >= 0 && d->program->funcs[var->func].recursive) {
    d->out->op.imm = (uint32_t)(d->program->var_addr[from->var] + (uint64_t)from->offset);
    d->out->op.type = (uint8_t)bytes;
    d->out->handler = exec_frame_address;
    return true;
  }
  return false;   // otherwise a constant, which arithmetic's mov copies
}

bool sim_decode_move(SimDecoder *d) {
  const PtxInstr *in = d->in;
  if (in->op == PTX_OP_createpolicy) return sim_decode_policy(d);
  if (in->op == PTX_OP_cvta) return decode_cvta(d);
  if (in->op == PTX_OP_isspacep) return decode_isspacep(d);
  if (in->op == PTX_OP_mapa || in->op == PTX_OP_getctarank) return sim_decode_cluster_address(d);
  if (in->op != PTX_OP_mov) return false;
  const PtxOperand *to = &in->operands[0], *from = &in->operands[1];
  if (in->type == PTX_B128) return decode_wide(d);
  if (to->kind == PTX_OPD_VEC && from->kind == PTX_OPD_VEC) return decode_moves(d);
  if (to->kind == PTX_OPD_VEC || from->kind == PTX_OPD_VEC) return decode_vector(d);
  if (from->kind == PTX_OPD_VAR) return decode_variable(d, from);
  return false;
}
