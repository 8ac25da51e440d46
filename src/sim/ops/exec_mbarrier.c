// exec_mbarrier.c: barrier objects in shared memory (PTX ISA 9.7.13.15). Their 64 bits are ours, since nobody may look:
//
//   0-19 arrivals still missing in this phase | 20-39 arrivals of a phase | 40-61 bytes still to come, signed | 63 phase
//
// A phase ends when no arrivals and no bytes are missing. A state token is the object before the arrival. Every operation
// is an atomic on the object, so bounds, order and races are those of atomics. Copies arrive at once, but nobody sees
// their bytes before the end of the phase (async_copy.c).
#include "sim/check/async_copy.h"
#include "sim/check/fault.h"
#include "sim/core/event.h"
#include "sim/core/slots.h"
#include "sim/ops/access.h"
#include "sim/ops/barrier.h"
#include "sim/ops/decoders.h"

enum { COUNT_BITS = 20, BYTES_BITS = 22, BYTES_AT = 40, MOST_COUNT = (1 << COUNT_BITS) - 1 };
#define PHASE (1ull << 63)

typedef struct Object { uint32_t missing, expected; int32_t bytes; bool phase; } Object;

typedef struct Use {
  SimInst access;
  SimMem memory;
  uint32_t state, parity;    // slots of a wait, or SIM_NO_SLOT
  uint32_t result;           // of a wait: predicate
  uint32_t count;            // init: slot
  bool waits, tries, inits;
} Use;

static Object unpack(uint64_t bits) {
  return (Object){.missing = bits & MOST_COUNT,
                  .expected = bits >> COUNT_BITS & MOST_COUNT,
                  .bytes = (int32_t)((int64_t)(bits << (64 - BYTES_AT - BYTES_BITS)) >> (64 - BYTES_BITS)),
                  .phase = (bits & PHASE) != 0};
}

static uint64_t pack(Object o) {
  uint64_t bytes = (uint64_t)o.bytes & ((1u << BYTES_BITS) - 1);
  return o.missing | (uint64_t)o.expected << COUNT_BITS | bytes << BYTES_AT | (o.phase ? PHASE : 0);
}

uint64_t sim_mbarrier_change(int op, uint64_t old, uint64_t value) {
  Object o = unpack(old);
  uint32_t arrivals = op == SIM_MBAR_ARRIVE || op == SIM_MBAR_DROP ? (uint32_t)value : op == SIM_MBAR_ARRIVE_EXPECT ? 1 : 0;
  if (op == SIM_MBAR_LOOK) return old;
  if (op == SIM_MBAR_DROP) o.expected -= LS_MIN((uint32_t)value, o.expected);
  if (op == SIM_MBAR_EXPECT || op == SIM_MBAR_ARRIVE_EXPECT) o.bytes += (int32_t)value;
  if (op == SIM_MBAR_COMPLETE) o.bytes -= (int32_t)value;
  o.missing -= LS_MIN(arrivals, o.missing);
  if (op != SIM_MBAR_EXPECT && !o.missing && !o.bytes) {
    o.phase = !o.phase;
    o.missing = o.expected;
  }
  return pack(o);
}

// ---- execution -----------------------------------------------------------------------------------------------------

static void prepare_init(SimExec *exec, const Use *u, uint32_t mask) {
  SIM_FOR_LANES(i, mask) {
    uint32_t count = u->count == SIM_NO_SLOT ? 0 : sim_u32(exec->regs, u->count)[i] & MOST_COUNT;
    sim_u64(exec->regs, u->memory.data[0])[i] = pack((Object){.missing = count, .expected = count});
  }
}

// A wait asks whether the phase of its token, or the last one of its parity, is over.
static void finish_wait(SimExec *exec, const Use *u, uint32_t mask) {
  uint32_t over = 0, *p = sim_u32(exec->regs, u->result);
  SIM_FOR_LANES(i, mask) {
    bool waited = u->state != SIM_NO_SLOT ? (sim_u64(exec->regs, u->state)[i] & PHASE) != 0
                                          : (sim_u32(exec->regs, u->parity)[i] & 1) != 0;
    if (unpack(exec->result[i]).phase != waited) over |= 1u << i;
  }
  *p = (*p & ~mask) | over;
  // try_wait sleeps for a while: the others have their turn.
  uint64_t seen = UINT64_MAX;   // most lanes ask the same one
  SIM_FOR_LANES(i, exec->block.async_copies ? over : 0) {
    if (exec->addr[i] != seen) sim_async_copy_seen(exec, (uint32_t)exec->addr[i]);
    seen = exec->addr[i];
  }
  if (over != mask && u->tries && !exec->block.watching) {
    exec->block.left = LS_MIN(exec->block.left, 1);
    exec->block.over = true;
  }
}

// exec->result and exec->value are those of the operation.
void sim_mbarrier_phases(SimExec *exec, int op, uint32_t mask) {
  SIM_FOR_LANES(i, exec->block.async_copies ? mask : 0)
    if (unpack(sim_mbarrier_change(op, exec->result[i], exec->value[i])).phase != unpack(exec->result[i]).phase)
      sim_async_copy_phase(exec, (uint32_t)exec->addr[i]);
}

static bool check_arrivals(SimExec *exec, const Use *u, uint32_t mask) {
  uint32_t guilty = 0;
  SIM_FOR_LANES(i, mask) {
    uint32_t count = u->memory.op == SIM_MBAR_ARRIVE_EXPECT ? 1 : (uint32_t)exec->value[i];
    if (unpack(exec->result[i]).missing < count) guilty |= 1u << i;
  }
  if (guilty)
    sim_fault(exec, &(SimFaultPlace){
                       .kind = FAULT_TRAP, .mask = guilty, .text = "more arrivals at an mbarrier than its phase still expects"});
  return !guilty;
}

static SimNext exec_mbarrier(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const Use *u = inst->more;
  int op = u->memory.op;
  if (u->inits) prepare_init(exec, u, mask);
  if (sim_exec_mem(exec, &u->access, mask) != SIM_GO) return SIM_YIELD;
  exec->pc--;   // where a fault of it is
  bool arrives = op == SIM_MBAR_ARRIVE || op == SIM_MBAR_DROP || op == SIM_MBAR_ARRIVE_EXPECT;
  if (arrives && !check_arrivals(exec, u, mask)) return SIM_YIELD;
  if (!u->inits) sim_mbarrier_phases(exec, op, mask);
  if (u->waits) finish_wait(exec, u, mask);
  exec->pc++;
  return SIM_GO;
}

static SimNext exec_pending(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const Use *u = inst->more;
  SIM_FOR_LANES(i, mask) sim_u32(exec->regs, u->result)[i] = unpack(sim_u64(exec->regs, u->state)[i]).missing;
  if (exec->recording) { sim_event(exec, inst, mask); sim_emit(exec); } else sim_skip_event(exec);
  exec->pc++;
  return SIM_GO;
}

// ---- decoding ------------------------------------------------------------------------------------------------------

void sim_mbarrier_access(SimDecoder *d, SimMem *m, int op, const PtxOperand *address, uint32_t operand) {
  *m = (SimMem){.space = d->in->space, .type = PTX_B64, .elem = 8, .vec = 1, .width = 8, .how = SIM_STRONG};
  m->op = (uint8_t)op;
  m->acquire = op == SIM_MBAR_LOOK;
  m->release = !m->acquire;
  m->data[0] = SIM_NO_SLOT;
  m->operand = operand;
  d->program->has_fences = true;
  sim_decode_address(d, m, address);
}

static int operation(const PtxInstr *in) {
  bool expects = ptx_has(in, PTX_HAS_EXPECT_TX);
  if (ptx_has(in, PTX_HAS_ARRIVE_DROP)) return expects ? -1 : SIM_MBAR_DROP;
  if (ptx_has(in, PTX_HAS_ARRIVE)) return expects ? SIM_MBAR_ARRIVE_EXPECT : SIM_MBAR_ARRIVE;
  if (expects) return SIM_MBAR_EXPECT;
  if (ptx_has(in, PTX_HAS_COMPLETE_TX)) return SIM_MBAR_COMPLETE;
  return ptx_has(in, PTX_HAS_TEST_WAIT) || ptx_has(in, PTX_HAS_TRY_WAIT) ? SIM_MBAR_LOOK : -1;
}

// A count as a 64-bit slot, for the atomics take one as wide as the object; -1 if it is in a register.
static uint32_t count_slot(SimDecoder *d, const PtxOperand *o) {
  if (!o) return sim_slot_const(d->program, 8, 1);
  if (o->kind == PTX_OPD_IMM) return sim_slot_const(d->program, 8, o->imm);
  return sim_slot_of(d, o, 4);
}

static void decode_wait(SimDecoder *d, Use *u) {
  const PtxInstr *in = d->in;
  bool parity = ptx_has(in, PTX_HAS_PARITY);
  u->waits = true;
  u->tries = ptx_has(in, PTX_HAS_TRY_WAIT);
  u->result = sim_slot_of(d, &in->operands[0], 1);
  u->state = parity ? SIM_NO_SLOT : sim_slot_of(d, &in->operands[2], 8);
  u->parity = parity ? sim_slot_of(d, &in->operands[2], 4) : SIM_NO_SLOT;
  sim_mbarrier_access(d, &u->memory, SIM_MBAR_LOOK, &in->operands[1], sim_slot_const(d->program, 8, 0));
}

static void decode_init(SimDecoder *d, Use *u) {
  const PtxInstr *in = d->in;
  u->inits = true;
  u->count = in->operand_count > 1 ? sim_slot_of(d, &in->operands[1], 4) : SIM_NO_SLOT;
  u->memory = (SimMem){.space = in->space, .type = PTX_B64, .elem = 8, .vec = 1, .width = 8, .data_bytes = {8}};
  u->memory.data[0] = sim_slot_temp(d->program, 8, 1);
  u->access.kind = TRACE_STORE;
  sim_decode_address(d, &u->memory, &in->operands[0]);
}

static void decode_arrival(SimDecoder *d, Use *u, int op) {
  const PtxInstr *in = d->in;
  int at = in->operands[0].kind == PTX_OPD_MEM ? 0 : 1;
  const PtxOperand *count = in->operand_count > at + 1 ? &in->operands[at + 1] : NULL;
  sim_mbarrier_access(d, &u->memory, op, &in->operands[at], count_slot(d, count));
  u->memory.narrow_operand = count && count->kind != PTX_OPD_IMM;
  if (at && in->operands[0].kind == PTX_OPD_REG) u->memory.data[0] = sim_slot_of(d, &in->operands[0], 8);
}

bool sim_decode_mbarrier(SimDecoder *d) {
  const PtxInstr *in = d->in;
  Use *u = LS_NEW(d->program->arena, Use);
  int op = operation(in);
  u->access = (SimInst){.more = &u->memory, .kind = TRACE_ATOM};
  d->out->more = u;
  d->out->handler = exec_mbarrier;
  if (ptx_has(in, PTX_HAS_PENDING_COUNT)) {
    u->result = sim_slot_of(d, &in->operands[0], 4);
    u->state = sim_slot_of(d, &in->operands[1], 8);
    d->out->handler = exec_pending;
    return true;
  }
  if (in->operand_count < (op == SIM_MBAR_LOOK ? 3 : 1)) return false;
  if (ptx_has(in, PTX_HAS_INIT) || ptx_has(in, PTX_HAS_INVAL)) decode_init(d, u);
  else if (op == SIM_MBAR_LOOK) decode_wait(d, u);
  else if (op >= 0) decode_arrival(d, u, op);
  else return false;
  d->out->kind = u->access.kind;
  return true;
}
