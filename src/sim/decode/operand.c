// operand.c: operands as slots: registers, constants, special registers; addresses and data of accesses.
#include <string.h>
#include "sim/core/slots.h"
#include "sim/decode/decode.h"

static bool sreg_is_wide(int sreg) { return sreg == PTX_SR_CLOCK64 || sreg == PTX_SR_GLOBALTIMER; }

// A decimal number without a type is a double; an instruction on floats means the float.
static uint64_t immediate(const PtxOperand *o, int bytes) {
  if (o->imm_type != PTX_F64 || bytes != 4) return o->imm;
  double value;
  memcpy(&value, &o->imm, sizeof value);
  float single = (float)value;
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  return bits;
}

static uint32_t slot_of_sum(SimDecoder *d, const PtxOperand *o, int bytes) {
  SimProgram *program = d->program;
  enum { FIRST_TEMP = 16 };                // of those that sums have for themselves
  if (!d->sums) d->sums = LS_NEW(program->arena, SimSums);
  int have = sim_reg_bytes(program->module, d->func, o->reg), k = d->sums->count;
  if (have != bytes) d->why = "a register of this width as this operand";
  if (have == 1 || k == SIM_MOST_SUMS) { d->why = "this sum"; return 0; }
  int size = ptx_type_size((PtxType)program->module->funcs[d->func].regs[o->reg].type);
  SimSum sum = {.to = sim_slot_temp(program, have, FIRST_TEMP + k), .from = program->funcs[d->func].slots[o->reg], .bytes = have,
                .number = (uint64_t)o->offset, .mask = size == 8 ? UINT64_MAX : (1ull << size * 8) - 1};
  d->sums->items[d->sums->count++] = sum;
  return sum.to;
}

uint32_t sim_slot_of(SimDecoder *d, const PtxOperand *o, int bytes) {
  SimProgram *program = d->program;
  switch (o->kind) {
  case PTX_OPD_REG:
    if (sim_reg_bytes(program->module, d->func, o->reg) != bytes) d->why = "a register of this width as this operand";
    return program->funcs[d->func].slots[o->reg];
  case PTX_OPD_SUM: return slot_of_sum(d, o, bytes);
  case PTX_OPD_IMM: return sim_slot_const(program, bytes, immediate(o, bytes));
  case PTX_OPD_SREG: return sim_slot_sreg(program, o->sreg, o->index, sreg_is_wide(o->sreg) ? 8 : bytes);
  case PTX_OPD_VAR: return sim_slot_const(program, bytes, program->var_addr[o->var] + (uint64_t)o->offset);
  case PTX_OPD_SINK: return sim_slot_scratch(bytes);
  case PTX_OPD_LABEL: return sim_slot_const(program, bytes, (uint64_t)o->target);
  case PTX_OPD_FUNC: return sim_slot_const(program, bytes, (uint64_t)o->func + 1);
  default: d->why = "an operand of this kind"; return 0;
  }
}

// ---- accesses ------------------------------------------------------------------------------------------------------

bool sim_decode_address(SimDecoder *d, SimMem *m, const PtxOperand *o) {
  const PtxModule *module = d->program->module;
  m->offset = o->offset;
  if (o->kind != PTX_OPD_MEM) { d->why = "an address of this form"; return false; }
  if (o->base == PTX_BASE_REG) {
    m->base = d->program->funcs[d->func].slots[o->reg];
    m->base_bytes = (uint8_t)sim_reg_bytes(module, d->func, o->reg);
    m->extent = (uint16_t)d->program->reg_extents[d->func][o->reg];
    return true;
  }
  if (o->base == PTX_BASE_NONE) return true;
  const PtxVar *var = &module->vars[o->var];
  if (m->space == PTX_GENERIC) {   // ld [x] without a space: the variable knows
    m->space = var->space;
  }
  m->offset += (int64_t)d->program->var_addr[o->var];
  m->extent = (uint16_t)d->program->var_extents[o->var];
  m->framed = var->space == PTX_LOCAL && var->func >= 0 && d->program->funcs[var->func].recursive;
  if (var->space == PTX_PARAM) {
    const PtxFunc *entry = &module->funcs[d->program->entry];
    m->lane_private = true;
    for (int i = 0; i < entry->param_count; i++) if (entry->params[i].var == o->var) m->lane_private = false;
  }
  return true;
}

static uint8_t extension(int type, int reg_size) {
  if (!ptx_type_is_signed((PtxType)type)) return SIM_EXT_ZERO;
  int size = ptx_type_size((PtxType)type);
  if (size >= reg_size) return SIM_EXT_ZERO;
  if (size == 1) return reg_size == 2 ? SIM_EXT_S8_16 : reg_size == 4 ? SIM_EXT_S8_32 : SIM_EXT_S8_64;
  if (size == 2) return reg_size == 4 ? SIM_EXT_S16_32 : SIM_EXT_S16_64;
  return SIM_EXT_S32_64;
}

void sim_decode_datum(SimDecoder *d, SimMem *m, int k, const PtxOperand *o, bool load) {
  m->data_bytes[k] = m->elem == 8 ? 8 : 4;
  if (o->kind == PTX_OPD_REG || o->kind == PTX_OPD_SUM) {
    m->data_bytes[k] = (uint8_t)sim_reg_bytes(d->program->module, d->func, o->reg);
    if (m->data_bytes[k] < 4) d->why = "a predicate as data";
    if (load)
      m->extend = extension(m->type, ptx_type_size((PtxType)d->program->module->funcs[d->func].regs[o->reg].type));
    if (m->data_bytes[k] < m->elem) d->why = "a register narrower than the data";
  }
  m->data[k] = sim_slot_of(d, o, m->data_bytes[k]);
}
