// exec_async.c: cp.async and cp.async.bulk: loads into temporary slots at once, stores when they have been waited for
// (async_copy.c); st.async and red.async, whose bytes and changes come when they have been waited for.
#include "sim/check/async_copy.h"
#include "sim/check/fault.h"
#include "sim/core/event.h"
#include "sim/core/slots.h"
#include "sim/ops/access.h"
#include "sim/ops/barrier.h"
#include "sim/ops/decoders.h"
#include "sim/core/form.h"

typedef struct Copy {
  SimInst load, store;
  SimMem from, to;
  int bytes;
  uint32_t size, ignored;  // slots: bytes that are read, the rest becomes zeros; lanes that read nothing, or SIM_NO_SLOT
} Copy;

// ---- 4, 8 or 16 bytes of each lane ---------------------------------------------------------------------------------

// Loads `bytes` at `at` behind the lanes' addresses into the word for it.
static bool load_piece(SimExec *exec, const Copy *copy, int at, int bytes, uint32_t slot, uint32_t lanes) {
  SimMem m = copy->from;
  SimInst inst = {.more = &m, .kind = TRACE_LOAD};
  if (!lanes) return true;
  m.offset += at;
  m.elem = m.width = (uint8_t)bytes;
  m.vec = 1;
  m.data[0] = slot;
  if (sim_exec_mem(exec, &inst, lanes) != SIM_GO) return false;
  exec->pc--;   // all pieces are this instruction
  return true;
}

// The word at `at` of lanes whose source ends somewhere inside the 16 bytes.
static bool load_word(SimExec *exec, const Copy *copy, int at, const uint32_t *size, uint32_t lanes) {
  uint32_t whole = 0, part = 0, word = copy->to.data[at / 4], byte = sim_slot_scratch(4);
  SIM_FOR_LANES(i, lanes) {
    if (size[i] >= (uint32_t)at + 4) whole |= 1u << i;
    else if (size[i] > (uint32_t)at) part |= 1u << i;
  }
  if (!load_piece(exec, copy, at, 4, word, whole)) return false;
  for (int k = 0; k < 3 && part; k++) {
    uint32_t some = 0;
    SIM_FOR_LANES(i, part) if (size[i] > (uint32_t)(at + k)) some |= 1u << i;
    if (!load_piece(exec, copy, at + k, 1, byte, some)) return false;
    SIM_FOR_LANES(i, some) sim_u32(exec->regs, word)[i] |= sim_u32(exec->regs, byte)[i] << 8 * k;
  }
  return true;
}

static SimNext exec_copy(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const Copy *copy = inst->more;
  const uint32_t *size = sim_u32(exec->regs, copy->size);
  uint32_t ignored = copy->ignored == SIM_NO_SLOT ? 0 : sim_pred(exec->regs, copy->ignored), full = 0;
  SIM_FOR_LANES(i, mask & ~ignored) if (size[i] >= (uint32_t)copy->bytes) full |= 1u << i;
  for (int k = 0; k < copy->to.vec && full != mask; k++)
    SIM_FOR_LANES(i, mask) sim_u32(exec->regs, copy->to.data[k])[i] = 0;
  if (full) {
    if (sim_exec_mem(exec, &copy->load, full) != SIM_GO) return SIM_YIELD;
    exec->pc--;
  }
  for (int at = 0; at < copy->bytes && (mask & ~ignored & ~full); at += 4)
    if (!load_word(exec, copy, at, size, mask & ~ignored & ~full)) return SIM_YIELD;
  SimNext next = sim_exec_mem(exec, &copy->store, mask);
  if (next == SIM_GO) sim_async_copy_source(exec, &copy->from, TRACE_GLOBAL, mask & ~ignored, size);
  return next;
}

// Commits and waits.
typedef struct Wait { bool commits, waits, bulk; uint32_t keep; } Wait;

static SimNext exec_wait(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const Wait *w = inst->more;
  if (w->commits) sim_async_copy_commit(exec, mask, w->bulk);
  if (w->waits) sim_async_copy_wait(exec, mask, w->bulk, w->keep);
  if (exec->recording) { sim_event(exec, inst, mask); sim_emit(exec); } else sim_skip_event(exec);
  exec->pc++;
  return SIM_GO;
}

static bool decode_wait(SimDecoder *d) {
  Wait *w = LS_NEW(d->program->arena, Wait);
  bool all = ptx_has(d->in, PTX_HAS_WAIT_ALL);
  w->bulk = ptx_has(d->in, PTX_HAS_BULK);
  w->waits = all || ptx_has(d->in, PTX_HAS_WAIT_GROUP);
  w->commits = all || !w->waits;
  if (w->waits && !all) {
    if (d->in->operand_count < 1 || d->in->operands[0].kind != PTX_OPD_IMM) return false;
    w->keep = (uint32_t)LS_MIN(d->in->operands[0].imm, UINT32_MAX);
  }
  d->out->more = w;
  d->out->handler = exec_wait;
  return true;
}

static SimMem half(SimDecoder *d, const PtxOperand *address, PtxSpace space, int bytes) {
  SimMem m = {.space = (uint8_t)space, .type = PTX_B32, .elem = 4, .vec = (uint8_t)(bytes / 4), .width = (uint8_t)bytes};
  if (bytes == 4 || bytes == 8 || bytes == 16) sim_decode_address(d, &m, address);
  else d->why = "a copy of this size";
  for (int k = 0; k < m.vec && k < SIM_MAX_VEC; k++) {
    m.data[k] = sim_slot_temp(d->program, 4, k);
    m.data_bytes[k] = 4;
  }
  return m;
}

// cp.async.ca.shared.global [to], [from], bytes{, source_bytes | ignore_source};
static bool decode_copy(SimDecoder *d) {
  const PtxInstr *in = d->in;
  Copy *copy = LS_NEW(d->program->arena, Copy);
  int count = in->operand_count - ptx_has(in, PTX_HAS_CACHE_HINT);
  if (count < 3 || count > 4 || in->operands[2].kind != PTX_OPD_IMM) return false;
  const PtxOperand *last = &in->operands[count - 1];
  bool ignores = last->kind == PTX_OPD_REG && sim_reg_bytes(d->program->module, d->func, last->reg) == 1;
  copy->bytes = (int)LS_MIN(in->operands[2].imm, 17);
  copy->size = sim_slot_of(d, ignores ? &in->operands[2] : last, 4);
  copy->ignored = ignores ? sim_slot_of(d, last, 1) : SIM_NO_SLOT;
  copy->from = half(d, &in->operands[1], PTX_GLOBAL, copy->bytes);
  copy->to = half(d, &in->operands[0], PTX_SHARED, copy->bytes);
  copy->to.later = true;
  copy->load = (SimInst){.more = &copy->from, .kind = TRACE_LOAD};
  copy->store = (SimInst){.more = &copy->to, .kind = TRACE_STORE};
  d->out->more = copy;
  d->out->handler = exec_copy;
  d->out->kind = TRACE_LOAD;
  return true;
}

// ---- arriving at an mbarrier ---------------------------------------------------------------------------------------

typedef struct Arrival { SimInst access; SimMem memory; } Arrival;

// All copies are done: with .noinc the mbarrier counts this arrival; without, it would expect one more first.
static SimNext exec_arrival(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const Arrival *a = inst->more;
  SimNext next = sim_exec_mem(exec, &a->access, mask);
  if (next != SIM_GO) return next;
  sim_async_copy_track(exec, mask, false);
  sim_mbarrier_phases(exec, a->memory.op, mask);
  return SIM_GO;
}

static bool decode_arrival(SimDecoder *d) {
  Arrival *a = LS_NEW(d->program->arena, Arrival);
  int op = ptx_has(d->in, PTX_HAS_NOINC) ? SIM_MBAR_ARRIVE : SIM_MBAR_LOOK;
  sim_mbarrier_access(d, &a->memory, op, &d->in->operands[0], sim_slot_const(d->program, 8, 1));
  a->access = (SimInst){.more = &a->memory, .kind = TRACE_ATOM};
  d->out->more = a;
  d->out->handler = exec_arrival;
  d->out->kind = TRACE_ATOM;
  return true;
}

// ---- bulk copies ---------------------------------------------------------------------------------------------------

typedef struct Bulk {
  SimInst load, store, complete;
  SimMem from, to, done;
  uint32_t size;
  bool tells;              // an mbarrier
  bool from_shared;
} Bulk;

static bool copy_chunk(SimExec *exec, const Bulk *bulk, uint32_t at, uint32_t lanes) {
  static const uint32_t whole[SIM_LANES] = {[0 ... SIM_LANES - 1] = 16};
  SimMem from = bulk->from, to = bulk->to;
  SimInst load = {.more = &from, .kind = TRACE_LOAD}, store = {.more = &to, .kind = TRACE_STORE};
  from.offset += at;
  to.offset += at;
  if (sim_exec_mem(exec, &load, lanes) != SIM_GO) return false;
  exec->pc--;
  if (sim_exec_mem(exec, &store, lanes) != SIM_GO) return false;
  exec->pc--;
  sim_async_copy_source(exec, &from, bulk->from_shared ? TRACE_SHARED : TRACE_GLOBAL, lanes, whole);
  return true;
}

static SimNext exec_bulk(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const Bulk *bulk = inst->more;
  const uint32_t *size = sim_u32(exec->regs, bulk->size);
  uint32_t odd = 0, left = mask;
  SIM_FOR_LANES(i, mask) if (size[i] % 16) odd |= 1u << i;
  if (odd) {
    sim_fault(exec, &(SimFaultPlace){
                       .kind = FAULT_MISALIGNED, .mask = odd, .text = "a bulk copy of a size that is no multiple of 16"});
    return SIM_YIELD;
  }
  for (uint32_t at = 0; ; at += 16) {
    SIM_FOR_LANES(i, left) if (size[i] <= at) left &= ~(1u << i);
    if (!left) break;
    if (!copy_chunk(exec, bulk, at, left)) return SIM_YIELD;
  }
  if (!bulk->tells) { exec->pc++; return SIM_GO; }
  SimNext next = sim_exec_mem(exec, &bulk->complete, mask);
  if (next != SIM_GO) return next;
  sim_async_copy_track(exec, mask, true);
  sim_mbarrier_phases(exec, bulk->done.op, mask);
  return SIM_GO;
}

// cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [from], size, [mbarrier]
// cp.async.bulk.global.shared::cta.bulk_group [to], [from], size
static bool decode_bulk(SimDecoder *d) {
  const PtxInstr *in = d->in;
  Bulk *bulk = LS_NEW(d->program->arena, Bulk);
  bulk->tells = ptx_has(in, PTX_HAS_COMPLETE_TX);
  if (!sim_is_plain_bulk(in)) return false;
  bulk->from = half(d, &in->operands[1], (PtxSpace)in->space2, 16);
  bulk->to = half(d, &in->operands[0], (PtxSpace)in->space, 16);
  bulk->from_shared = in->space2 == PTX_SHARED;
  bulk->to.later = bulk->to.bulk = !bulk->from_shared;
  bulk->size = sim_slot_of(d, &in->operands[2], 4);
  if (bulk->tells) {
    sim_mbarrier_access(d, &bulk->done, SIM_MBAR_COMPLETE, &in->operands[3], bulk->size);
    bulk->done.narrow_operand = true;
    bulk->complete = (SimInst){.more = &bulk->done, .kind = TRACE_ATOM};
  }
  d->out->more = bulk;
  d->out->handler = exec_bulk;
  d->out->kind = TRACE_LOAD;
  return true;
}

// ---- stores and reductions ----------------------------------------------------------------------------------------

typedef struct Sending { SimInst access, complete; SimMem to, done; } Sending;

// The bytes are on their way before the mbarrier is told of them, so the phase that this ends has them.
static SimNext exec_sending(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const Sending *s = inst->more;
  if (sim_exec_mem(exec, &s->access, mask) != SIM_GO) return SIM_YIELD;
  exec->pc--;
  SimNext next = sim_exec_mem(exec, &s->complete, mask);
  if (next != SIM_GO) return next;
  sim_async_copy_track(exec, mask, true);
  sim_mbarrier_phases(exec, s->done.op, mask);
  return SIM_GO;
}

static const char *refused_sending(const SimDecoder *d) {
  const PtxInstr *in = d->in;
  if (!ptx_has(in, PTX_HAS_COMPLETE_TX) || in->operand_count != 3) return "without an mbarrier";
  if (!d->program->module->funcs[d->program->entry].reqnctapercluster[0])
    return "an illegal instruction in a kernel that does not name its cluster; give it .reqnctapercluster 1, 1, 1 "
           "(__cluster_dims__(1, 1, 1))";
  return in->space == PTX_SHARED ? NULL : "an address of no named space; write .shared::cluster";
}

// What the assembler takes of integers, CUDA 13.
static bool reduces_type(const PtxInstr *in) {
  switch (in->mode) {
  case PTX_AT_INC: case PTX_AT_DEC: return in->type == PTX_U32;
  case PTX_AT_MIN: case PTX_AT_MAX: return in->type == PTX_U32 || in->type == PTX_S32;
  case PTX_AT_AND: case PTX_AT_OR: case PTX_AT_XOR: return in->type == PTX_B32;
  case PTX_AT_ADD: return in->type == PTX_U32 || in->type == PTX_S32 || in->type == PTX_U64 || in->type == PTX_S64;
  default: return false;
  }
}

static bool decode_value(SimDecoder *d, SimMem *m, const PtxOperand *value) {
  if (d->in->op == PTX_OP_red) {
    m->op = d->in->mode;
    m->how = SIM_STRONG | SIM_BLOCK_SCOPE;
    m->data[0] = SIM_NO_SLOT;
    m->operand = sim_slot_of(d, value, m->elem);
    return m->vec == 1 && reduces_type(d->in);
  }
  bool vector = value->kind == PTX_OPD_VEC;
  if ((m->elem != 4 && m->elem != 8) || m->width > 16) { d->why = "data of this width"; return false; }
  if (m->vec != (vector ? value->elem_count : 1)) return false;
  for (int k = 0; k < m->vec; k++) sim_decode_datum(d, m, k, vector ? &value->elems[k] : value, false);
  return true;
}

// st.async.weak.shared::cluster.mbarrier::complete_tx::bytes [to], value, [mbarrier]; red.async likewise
static bool decode_sending(SimDecoder *d) {
  const PtxInstr *in = d->in;
  Sending *s = LS_NEW(d->program->arena, Sending);
  SimMem *m = &s->to;
  d->why = refused_sending(d);
  if (d->why) return false;
  *m = (SimMem){.space = PTX_SHARED, .type = in->type, .elem = (uint8_t)ptx_type_size((PtxType)in->type),
                .vec = LS_MAX(in->vec, 1), .later = true, .bulk = true};
  m->width = (uint8_t)(m->elem * m->vec);
  if (!sim_decode_address(d, m, &in->operands[0]) || !decode_value(d, m, &in->operands[1])) return false;
  sim_mbarrier_access(d, &s->done, SIM_MBAR_COMPLETE, &in->operands[2], sim_slot_const(d->program, 8, m->width));
  s->access = (SimInst){.more = m, .kind = in->op == PTX_OP_red ? TRACE_ATOM : TRACE_STORE};
  s->complete = (SimInst){.more = &s->done, .kind = TRACE_ATOM};
  d->out->more = s;
  d->out->handler = exec_sending;
  d->out->kind = s->access.kind;
  return true;
}

bool sim_decode_async(SimDecoder *d) {
  const PtxInstr *in = d->in;
  if (in->op != PTX_OP_cp) return decode_sending(d);
  bool waits = ptx_has(in, PTX_HAS_COMMIT_GROUP) || ptx_has(in, PTX_HAS_WAIT_GROUP) || ptx_has(in, PTX_HAS_WAIT_ALL);
  if (!ptx_has(in, PTX_HAS_ASYNC) || ptx_has(in, PTX_HAS_REDUCE)) return false;
  if (waits) return decode_wait(d);
  if (ptx_has(in, PTX_HAS_BULK)) return decode_bulk(d);
  return ptx_has(in, PTX_HAS_MBARRIER) ? decode_arrival(d) : decode_copy(d);
}
