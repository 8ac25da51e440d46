// exec_alu.c: arithmetic: operands in slots, and the few operations that are more than a loop over lanes: sources or
// results of another width, integer division, clocks.
#include "ptx/def_use.h"
#include "sim/check/fault.h"
#include "sim/core/event.h"
#include "sim/core/slots.h"
#include "sim/ops/decoders.h"

static int type_bytes(int type) { return type == PTX_PRED ? 1 : ptx_type_size((PtxType)type) == 8 ? 8 : 4; }

// Bytes of the slot (1: predicate) that operand i of an arithmetic instruction is read or written as.
static int operand_bytes(const PtxInstr *in, int i) {
  int type = type_bytes(in->type);
  switch (in->op) {
  case PTX_OP_cvt: return i == 0 ? type : type_bytes(in->type2);
  case PTX_OP_mul:
  case PTX_OP_mad:
    return in->mode == PTX_MUL_WIDE && (i == 0 || i == 3) ? (type == 4 && ptx_type_size((PtxType)in->type) == 2 ? 4 : 8)
                                                          : type;
  case PTX_OP_shl: case PTX_OP_shr: return i == 2 ? 4 : type;
  case PTX_OP_set: return i == 3 ? 1 : i == 0 ? type : type_bytes(in->type2);
  case PTX_OP_setp: return i == 0 || i == 3 ? 1 : type;
  case PTX_OP_selp: return i == 3 ? 1 : type;
  case PTX_OP_slct: return i == 3 ? type_bytes(in->type2) : type;
  case PTX_OP_popc: case PTX_OP_clz: case PTX_OP_bfind: return i == 0 ? 4 : type;
  case PTX_OP_bfe: return i >= 2 ? 4 : type;
  case PTX_OP_bfi: return i >= 3 ? 4 : type;
  case PTX_OP_testp: return i == 0 ? 1 : type;
  case PTX_OP_dp2a: case PTX_OP_dp4a: case PTX_OP_prmt: case PTX_OP_shf: case PTX_OP_fns: return 4;
  default: return type;
  }
}

// A source in a wider register than the instruction reads: its low half is copied first.
static void narrow(uint8_t *regs, const SimOp *op, uint32_t mask) {
  uint32_t *d = sim_u32(regs, op->d);
  const uint64_t *a = sim_u64(regs, op->a);
  SIM_FOR_LANES(i, mask) d[i] = (uint32_t)a[i];
}

typedef struct SimWrapped {
  SimOp before[4];
  int before_count;
  uint32_t to;
  int to_bytes, sign_bits;
  uint32_t from;
} SimWrapped;

// cvt into a register wider than its type extends the result to the register.
static void widen(uint8_t *regs, const SimWrapped *w, uint32_t mask) {
  int shift = 64 - w->sign_bits;
  SIM_FOR_LANES(i, mask) {
    uint64_t bits = sim_u32(regs, w->from)[i];
    if (w->sign_bits) bits = (uint64_t)((int64_t)(bits << shift) >> shift);
    if (w->to_bytes == 8) sim_u64(regs, w->to)[i] = bits;
    else sim_u32(regs, w->to)[i] = w->to_bytes == 2 ? (uint16_t)bits : (uint32_t)bits;
  }
}

static SimNext exec_wrapped(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const SimWrapped *w = inst->more;
  for (int i = 0; i < w->before_count; i++) narrow(exec->regs, &w->before[i], mask);
  inst->op.run(exec->regs, &inst->op, mask);
  if (w->to_bytes) widen(exec->regs, w, mask);
  if (exec->recording) { sim_event(exec, inst, mask); sim_emit(exec); } else sim_skip_event(exec);
  exec->pc++;
  return SIM_GO;
}

// Integer division: told once per instruction, and the result is what the chip gives.
static SimNext exec_divide(SimExec *exec, const SimInst *inst, uint32_t mask) {
  uint32_t zero = 0;
  SIM_FOR_LANES(i, mask)
    if (!(inst->op.imm == 8 ? sim_u64(exec->regs, inst->op.b)[i] : sim_u32(exec->regs, inst->op.b)[i])) zero |= 1u << i;
  inst->op.run(exec->regs, &inst->op, mask);
  if (exec->recording) { sim_event(exec, inst, mask); sim_emit(exec); } else sim_skip_event(exec);
  if (zero) sim_fault(exec, &(SimFaultPlace){.kind = FAULT_DIVIDE_BY_ZERO, .mask = zero});
  exec->pc++;
  return SIM_GO;
}

// Reads of clocks: their slots are filled with the time of this instruction.
typedef struct SimClock { uint32_t slot; int bytes, sreg; } SimClock;
static SimNext exec_clock(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const SimClock *clock = inst->more;
  uint64_t values[SIM_LANES];
  sim_sreg_value(exec, sim_warp_index(exec), clock->sreg, 0, values);
  SIM_FOR_LANES(i, SIM_FULL) {
    if (clock->bytes == 8) sim_u64(exec->regs, clock->slot)[i] = values[i];
    else sim_u32(exec->regs, clock->slot)[i] = (uint32_t)values[i];
  }
  inst->op.run(exec->regs, &inst->op, mask);
  if (exec->recording) { sim_event(exec, inst, mask); sim_emit(exec); } else sim_skip_event(exec);
  exec->pc++;
  return SIM_GO;
}

static int operand_reg_bytes(const SimDecoder *d, const PtxOperand *o) {
  return o->kind == PTX_OPD_REG || o->kind == PTX_OPD_SUM ? sim_reg_bytes(d->program->module, d->func, o->reg) : 0;
}

static SimWrapped *wrapped(SimDecoder *d) {
  if (!d->out->more) d->out->more = LS_NEW(d->program->arena, SimWrapped);
  d->out->handler = exec_wrapped;
  return (SimWrapped *)(uintptr_t)d->out->more;
}

static uint32_t source_slot(SimDecoder *d, const PtxOperand *o, int bytes) {
  int have = operand_reg_bytes(d, o);
  uint32_t slot = sim_slot_of(d, o, have == 8 && bytes == 4 ? 8 : bytes);
  if (have == 8 && bytes == 4) {
    SimWrapped *w = wrapped(d);
    uint32_t low = sim_slot_temp(d->program, 4, w->before_count);
    w->before[w->before_count++] = (SimOp){.d = low, .a = slot};
    return low;
  }
  return slot;
}

// Registers of 16 bits hold them with zeros above, and so do immediates in their place: -21845 is 0xaaab there.
static bool is_half_word(const PtxInstr *in, int operand) {
  int type = in->op == PTX_OP_cvt || in->op == PTX_OP_set ? in->type2 : in->type;   // of the sources
  bool counts = (in->op == PTX_OP_shl || in->op == PTX_OP_shr) && operand == 2;
  bool wide = in->op == PTX_OP_mad && in->mode == PTX_MUL_WIDE && operand == 3;
  return ptx_type_size((PtxType)type) == 2 && !counts && !wide;
}

// cvt's destination register may be wider than its type.
static void destination(SimDecoder *d, const PtxOperand *o) {
  int bytes = operand_bytes(d->in, 0), size = ptx_type_size((PtxType)d->in->type);
  bool is_reg = o->kind == PTX_OPD_REG;
  d->out->op.d = sim_slot_of(d, o, is_reg ? operand_reg_bytes(d, o) : bytes);
  if (!is_reg) return;
  int have = operand_reg_bytes(d, o),
      reg_size = ptx_type_size((PtxType)d->program->module->funcs[d->func].regs[o->reg].type);
  bool grows = d->in->op == PTX_OP_cvt && have != 1 &&
               (have > bytes || (ptx_type_is_signed((PtxType)d->in->type) && size < reg_size));
  if (grows) {
    SimWrapped *w = wrapped(d);
    w->to = d->out->op.d;
    w->to_bytes = have == 8 ? 8 : reg_size;
    w->sign_bits = ptx_type_is_signed((PtxType)d->in->type) ? size * 8 : 0;
    w->from = d->out->op.d = have == 8 ? sim_slot_scratch(4) : d->out->op.d;
  } else if (have != bytes) {
    d->why = "a register of this width as the destination";
  }
}

static void decode_sources(SimDecoder *d) {
  const PtxInstr *in = d->in;
  uint32_t *slots[] = {NULL, &d->out->op.a, &d->out->op.b, &d->out->op.c, &d->out->op.e};
  int next = 1;
  for (int i = 1; i < in->operand_count; i++) {
    const PtxOperand *o = &in->operands[i];
    if (in->op == PTX_OP_lop3 && i == 4) { d->out->op.imm = (uint32_t)o->imm; continue; }
    if (next >= LS_COUNT(slots)) { d->why = "so many operands"; return; }
    int bytes = operand_bytes(in, i);
    bool half_word = bytes == 4 && o->kind == PTX_OPD_IMM && is_half_word(in, i);
    *slots[next++] = half_word ? sim_slot_const(d->program, 4, o->imm & 0xffff) : source_slot(d, o, bytes);
    if (bytes == 1 && o->negate) d->out->op.negate_c = 1;
  }
}

static void decode_clock(SimDecoder *d) {
  for (int i = 1; i < d->in->operand_count; i++) {
    const PtxOperand *o = &d->in->operands[i];
    if (o->kind != PTX_OPD_SREG || !sim_sreg_changes(o->sreg)) continue;
    SimClock *clock = LS_NEW(d->program->arena, SimClock);
    *clock =
        (SimClock){i == 1 ? d->out->op.a : d->out->op.b,
                   o->sreg == PTX_SR_CLOCK64 || o->sreg == PTX_SR_GLOBALTIMER ? 8 : operand_bytes(d->in, i), o->sreg};
    d->out->more = clock;
    d->out->handler = exec_clock;
  }
}

static bool is_integer_division(const PtxInstr *in) {
  if (in->op != PTX_OP_div && in->op != PTX_OP_rem) return false;
  const PtxOperand *by = &in->operands[2];
  return !ptx_type_is_float((PtxType)in->type) && !(by->kind == PTX_OPD_IMM && by->imm);
}

bool sim_decode_alu(SimDecoder *d) {
  const PtxInstr *in = d->in;
  SimOp *op = &d->out->op;
  *op = (SimOp){.type = in->type, .type2 = in->type2, .cmp = in->cmp, .boolop = in->boolop, .mode = in->mode,
                .round = in->round, .flags = in->flags};
  op->run = sim_alu_find(in);
  if (!op->run) { d->why = "this form of the instruction"; return false; }
  if (in->flags & PTX_F_CC) op->d2 = sim_slot_carry(d->program);
  if (ptx_reads_carry(in)) op->e = sim_slot_carry(d->program);
  destination(d, &in->operands[0]);
  if (in->operands[0].pair >= 0)
    op->d2 = d->program->funcs[d->func].slots[in->operands[0].pair];
  decode_sources(d);
  decode_clock(d);
  if (is_integer_division(in) && !d->out->handler) {
    op->imm = (uint32_t)operand_bytes(in, 2);
    d->out->handler = exec_divide;
  }
  return d->why == NULL;
}
