// decode_mem.c: what loads, stores and atomics need: space, widths, address and data slots.
#include <string.h>
#include "sim/core/slots.h"
#include "sim/ops/access.h"
#include "sim/ops/atom_loops.h"
#include "sim/ops/decoders.h"
#include "sim/ops/image.h"
#include "sim/ops/shape_access.h"

static void decode_order(SimMem *m, const PtxInstr *in) {
  bool block = in->scope == PTX_SCOPE_CTA || in->scope == PTX_SCOPE_CLUSTER;   // a cluster is a block here
  if (in->sem != PTX_WEAK) m->how |= SIM_STRONG;
  if (in->sem == PTX_VOLATILE) m->how |= SIM_VOLATILE;
  if (block) m->how |= SIM_BLOCK_SCOPE;
  m->acquire = in->sem == PTX_ACQUIRE || in->sem == PTX_ACQ_REL || in->sem == PTX_SC;
  m->release = in->sem == PTX_RELEASE || in->sem == PTX_ACQ_REL || in->sem == PTX_SC;
}

// 128 bits are two of 64 in memory, and so they lie in a register's slot.
static void split_wide(SimMem *m) {
  m->type = PTX_B64;
  m->elem = 8;
  m->vec = 2;
}

static void decode_wide_datum(SimDecoder *d, SimMem *m, const PtxOperand *o) {
  for (int k = 0; k < 2; k++) {
    m->data[k] = sim_slot_of(d, o, 16) + (uint32_t)k * SIM_HIGH_HALVES;
    m->data_bytes[k] = 8;
  }
}

static SimMem *new_mem(SimDecoder *d) {
  const PtxInstr *in = d->in;
  SimMem *m = LS_NEW(d->program->arena, SimMem);
  m->space = in->space;
  m->type = in->type;
  m->elem = (uint8_t)ptx_type_size((PtxType)in->type);
  m->vec = in->vec ? in->vec : 1;
  m->width = (uint8_t)(m->elem * m->vec);
  if (in->type == PTX_B128) split_wide(m);
  decode_order(m, in);
  if (m->acquire || m->release) d->program->has_fences = true;
  d->out->more = m;
  d->out->handler = sim_exec_mem;
  d->out->access = SIM_MEMORY_ACCESS;
  if (!m->elem || m->elem > 8 || m->vec > SIM_MAX_VEC) d->why = "data of this width";
  return m;
}

// A parameter of the kernel at a constant place, into a register of its width.
static bool is_plain_param(const SimProgram *program, const SimMem *m) {
  bool inside = m->offset >= 0 && (uint64_t)m->offset + m->elem <= program->param_bytes && m->offset % m->elem == 0;
  return m->space == PTX_PARAM && !m->base_bytes && !m->lane_private && inside && m->extend == SIM_EXT_ZERO &&
         m->data_bytes[0] == (m->elem == 8 ? 8 : 4);
}

// Known now, so it is a move of a constant.
static void decode_param(SimDecoder *d, const SimMem *m) {
  PtxInstr move = {.op = PTX_OP_mov, .type = m->elem == 8 ? PTX_B64 : PTX_B32, .guard = -1, .operand_count = 2};
  uint64_t value = 0;
  memcpy(&value, d->program->params + m->offset, m->elem);
  d->out->op = (SimOp){.run = sim_alu_find(&move), .d = m->data[0], .d2 = SIM_NO_SLOT,
                       .a = sim_slot_const(d->program, m->data_bytes[0], value)};
  d->out->handler = sim_exec_param;
  d->out->access = SIM_NO_ACCESS;
}

static bool decode_load_or_store(SimDecoder *d, bool load) {
  const PtxInstr *in = d->in;
  SimMem *m = new_mem(d);
  const PtxOperand *data = &in->operands[load ? 0 : 1], *address = &in->operands[load ? 1 : 0];
  d->out->kind = load ? TRACE_LOAD : TRACE_STORE;
  if (d->why || !sim_decode_address(d, m, address)) return false;
  if (!load && m->space == PTX_PARAM && !m->lane_private) d->why = "a store to a parameter of the kernel";
  if (in->type == PTX_B128) {
    if (data->kind != PTX_OPD_REG) d->why = "data that is no register of 128 bits";
    else decode_wide_datum(d, m, data);
    return true;
  }
  if (data->kind != PTX_OPD_VEC) {
    sim_decode_datum(d, m, 0, data, load);
    if (load && is_plain_param(d->program, m)) {
      decode_param(d, m);
    }
    return true;
  }
  if (data->elem_count != m->vec) { d->why = "a vector of another length"; return false; }
  for (int k = 0; k < m->vec; k++) sim_decode_datum(d, m, k, &data->elems[k], load);
  return true;
}

// A plain load or store, of which one is mostly like the one before.
static bool may_have_shape(const SimInst *inst) {
  const SimMem *m = inst->more;
  return inst->handler == sim_exec_mem && !(m->how & (SIM_STRONG | SIM_VOLATILE)) && !m->acquire && !m->release &&
         !m->framed && (m->lane_private || m->space != PTX_PARAM);
}

bool sim_decode_mem(SimDecoder *d) {
  const PtxInstr *in = d->in;
  bool load = in->op == PTX_OP_ld || in->op == PTX_OP_ldu;
  if (in->op == PTX_OP_cp) return sim_decode_async(d);
  if (sim_is_image_op(in->op)) return sim_decode_image(d);
  if (!load && in->op != PTX_OP_st) return false;
  if (!load && ptx_has(in, PTX_HAS_ASYNC)) return sim_decode_async(d);
  bool known = decode_load_or_store(d, load);
  d->out->shaped = known && may_have_shape(d->out);
  if (d->out->shaped) d->out->handler = sim_exec_shaped;
  return known;
}

static bool atom_is_known(const PtxInstr *in) {
  bool floating = ptx_type_is_float((PtxType)in->type);
  switch (in->mode) {
  case PTX_AT_ADD: return in->type != PTX_F32X2;
  case PTX_AT_EXCH: case PTX_AT_CAS: return true;
  case PTX_AT_AND: case PTX_AT_OR: case PTX_AT_XOR: case PTX_AT_MIN: case PTX_AT_MAX: case PTX_AT_INC: case PTX_AT_DEC:
    return !floating;
  default: return false;
  }
}

// atom.global.v4.f32.add {d0, d1, d2, d3}, [a], {b0, b1, b2, b3}
static bool decode_atom_vector(SimDecoder *d) {
  const PtxInstr *in = d->in;
  bool halves = in->type == PTX_F16 || in->type == PTX_BF16 || in->type == PTX_F16X2 || in->type == PTX_BF16X2;
  int first = in->op == PTX_OP_atom ? 1 : 0;
  SimMem *m = new_mem(d);
  if (d->why || (in->type != PTX_F32 && !halves) || in->mode != PTX_AT_ADD || m->width > 16 || in->operand_count < first + 2)
    return false;
  const PtxOperand *to = first ? &in->operands[0] : NULL, *from = &in->operands[first + 1];
  if (!sim_decode_address(d, m, &in->operands[first])) return false;
  if (from->kind != PTX_OPD_VEC || from->elem_count != m->vec) return false;
  if (to && to->kind != PTX_OPD_SINK && (to->kind != PTX_OPD_VEC || to->elem_count != m->vec)) return false;
  m->op = in->mode;
  m->how |= SIM_STRONG;
  for (int k = 0; k < m->vec; k++) {
    bool wanted = to && to->kind == PTX_OPD_VEC && to->elems[k].kind != PTX_OPD_SINK;
    m->operands[k] = sim_slot_of(d, &from->elems[k], 4);
    m->data[k] = wanted ? sim_slot_of(d, &to->elems[k], 4) : SIM_NO_SLOT;
  }
  d->out->kind = TRACE_ATOM;
  return true;
}

// atom.exch.b128 and atom.cas.b128
static bool decode_atom_wide(SimDecoder *d) {
  const PtxInstr *in = d->in;
  bool cas = in->mode == PTX_AT_CAS, drops = in->operands[0].kind == PTX_OPD_SINK;
  if (in->op != PTX_OP_atom || (!cas && in->mode != PTX_AT_EXCH) || in->operand_count < 3 + cas) return false;
  SimMem *m = new_mem(d);
  if (d->why || !sim_decode_address(d, m, &in->operands[1])) return false;
  m->op = in->mode;
  uint32_t value = sim_slot_of(d, &in->operands[2 + cas], 16), to = drops ? 0 : sim_slot_of(d, &in->operands[0], 16);
  if (cas) m->compare = sim_slot_of(d, &in->operands[2], 16);
  for (int k = 0; k < 2; k++) {
    m->operands[k] = value + (uint32_t)k * SIM_HIGH_HALVES;
    m->data[k] = drops ? SIM_NO_SLOT : to + (uint32_t)k * SIM_HIGH_HALVES;
  }
  d->out->kind = TRACE_ATOM;
  return true;
}

static bool is_usual(const SimMem *m) {
  return (m->space == PTX_GLOBAL || m->space == PTX_SHARED) && !m->framed && !m->acquire && !m->release;
}

bool sim_decode_atom(SimDecoder *d) {
  const PtxInstr *in = d->in;
  if (in->op != PTX_OP_atom && in->op != PTX_OP_red) return false;
  if (ptx_has(in, PTX_HAS_ASYNC)) return sim_decode_async(d);
  if (in->vec > 1) return decode_atom_vector(d);
  if (in->type == PTX_B128) return decode_atom_wide(d);
  if (!atom_is_known(in)) return false;
  SimMem *m = new_mem(d);
  int first = in->op == PTX_OP_atom ? 1 : 0, bytes = m->elem == 8 ? 8 : 4;
  if (d->why || !sim_decode_address(d, m, &in->operands[first])) return false;
  m->op = in->mode;
  m->how |= SIM_STRONG;
  m->data[0] = SIM_NO_SLOT;
  if (first == 1 && in->operands[0].kind != PTX_OPD_SINK) m->data[0] = sim_slot_of(d, &in->operands[0], bytes);
  m->operand = sim_slot_of(d, &in->operands[first + 1], bytes);
  if (in->mode == PTX_AT_CAS) {
    m->compare = m->operand;
    m->operand = sim_slot_of(d, &in->operands[first + 2], bytes);
  }
  d->out->kind = TRACE_ATOM;
  m->loop = sim_atom_loop(m);
  m->quiet_loop = sim_atom_quiet_loop(m);
  if (!m->loop || !is_usual(m)) return true;
  d->out->handler = sim_exec_atom;
  d->out->lean = sim_exec_atom_together;
  d->out->together = d->func == d->program->entry;
  return true;
}
