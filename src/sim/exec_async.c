// exec_async.c: cp.async, done at once: a load from global memory and a store to shared memory. Waiting for it is nothing
// then, so a missing wait is not found; a missing barrier is.
#include "sim/internal.h"

typedef struct Copy { SimInst load, store; SimMem from, to; } Copy;

static SimNext exec_copy(Sim *sim, const SimInst *inst, uint32_t mask) {
  const Copy *copy = inst->more;
  if (sim_exec_mem(sim, &copy->load, mask) != SIM_GO) return SIM_YIELD;
  sim->pc--;   // both halves are this instruction
  return sim_exec_mem(sim, &copy->store, mask);
}

static SimNext exec_wait(Sim *sim, const SimInst *inst, uint32_t mask) {
  if (sim->recording) { sim_event(sim, inst, mask); sim_emit(sim); } else sim_skip_event(sim);
  sim->pc++;
  return SIM_GO;
}

static SimMem half(SimDecoder *d, const PtxOperand *address, PtxSpace space, int bytes) {
  SimMem m = {.space = (uint8_t)space, .type = PTX_B32, .elem = 4, .vec = (uint8_t)(bytes / 4), .width = (uint8_t)bytes};
  if (bytes == 4 || bytes == 8 || bytes == 16) sim_decode_address(d, &m, address);
  else d->why = "a copy of this size";
  for (int k = 0; k < m.vec && k < SIM_MAX_VEC; k++) {
    m.data[k] = sim_slot_temp(d->sim, k);
    m.data_bytes[k] = 4;
  }
  return m;
}

// cp.async.ca.shared.global [to], [from], bytes;  cp.async.commit_group;  cp.async.wait_group N;  cp.async.wait_all
bool sim_decode_async(SimDecoder *d) {
  const PtxInstr *in = d->in;
  if (!ls_starts_with(in->name, "cp.async.") || strstr(in->name, "bulk") || strstr(in->name, "mbarrier")) return false;
  if (strstr(in->name, "commit_group") || strstr(in->name, "wait_")) {
    d->out->exec = exec_wait;
    return true;
  }
  if (in->operand_count != 3 || in->operands[2].kind != PTX_OPD_IMM) { d->why = "a copy with a size of its source"; return false; }
  Copy *copy = LS_NEW(d->sim->arena, Copy);
  copy->from = half(d, &in->operands[1], PTX_GLOBAL, (int)in->operands[2].imm);
  copy->to = half(d, &in->operands[0], PTX_SHARED, (int)in->operands[2].imm);
  copy->load = (SimInst){.more = &copy->from, .kind = TRACE_LOAD};
  copy->store = (SimInst){.more = &copy->to, .kind = TRACE_STORE};
  d->out->more = copy;
  d->out->exec = exec_copy;
  d->out->kind = TRACE_LOAD;
  return true;
}
