// exec_async.c: cp.async, done at once: a load from global memory and a store to shared memory. Waiting for it is nothing
// then, so a missing wait is not found; a missing barrier is.
#include "sim/internal.h"

typedef struct Copy {
  SimInst load, store;
  SimMem from, to;
  int source_bytes;        // the rest is filled with zeros
} Copy;

static void fill_with_zeros(Sim *sim, const Copy *copy, uint32_t mask) {
  for (int k = copy->source_bytes / 4; k < copy->to.vec; k++) {
    int bytes = LS_MAX(copy->source_bytes - 4 * k, 0);
    SIM_FOR_LANES(i, mask) sim_u32(sim->regs, copy->to.data[k])[i] &= (1u << (8 * bytes)) - 1;
  }
}

static SimNext exec_copy(Sim *sim, const SimInst *inst, uint32_t mask) {
  const Copy *copy = inst->more;
  if (copy->source_bytes) {
    if (sim_exec_mem(sim, &copy->load, mask) != SIM_GO) return SIM_YIELD;
    sim->pc--;   // both halves are this instruction
  }
  fill_with_zeros(sim, copy, mask);
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
    m.data[k] = sim_slot_temp(d->sim, 4, k);
    m.data_bytes[k] = 4;
  }
  return m;
}

// Words are loaded as 1, 2 or 4 of them.
static int loaded_bytes(int source_bytes) { return source_bytes <= 4 ? 4 : source_bytes <= 8 ? 8 : 16; }

// cp.async.ca.shared.global [to], [from], bytes{, source_bytes};  cp.async.commit_group;  cp.async.wait_group N;  cp.async.wait_all
bool sim_decode_async(SimDecoder *d) {
  const PtxInstr *in = d->in;
  if (!ls_starts_with(in->name, "cp.async.") || strstr(in->name, "bulk") || strstr(in->name, "mbarrier")) return false;
  if (strstr(in->name, "commit_group") || strstr(in->name, "wait_")) {
    d->out->exec = exec_wait;
    return true;
  }
  for (int i = 2; i < in->operand_count; i++)
    if (in->operands[i].kind != PTX_OPD_IMM || in->operands[i].imm > in->operands[2].imm || i > 3) {
      d->why = "a copy with a size of its source that is not constant";
      return false;
    }
  Copy *copy = LS_NEW(d->sim->arena, Copy);
  copy->source_bytes = (int)in->operands[in->operand_count - 1].imm;
  copy->from = half(d, &in->operands[1], PTX_GLOBAL, loaded_bytes(copy->source_bytes));
  copy->to = half(d, &in->operands[0], PTX_SHARED, (int)in->operands[2].imm);
  copy->load = (SimInst){.more = &copy->from, .kind = TRACE_LOAD};
  copy->store = (SimInst){.more = &copy->to, .kind = TRACE_STORE};
  d->out->more = copy;
  d->out->exec = exec_copy;
  d->out->kind = TRACE_LOAD;
  return true;
}
