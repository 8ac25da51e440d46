// exec_cluster.c: clusters of thread blocks, all of one block: barrier.cluster, mapa, getctarank.
//
// barrier.cluster comes in two halves. A thread that has arrived may go on; one that waits goes on when all threads
// that have not ended have arrived.
#include <stdio.h>
#include "sim/check/fault.h"
#include "sim/core/barrier.h"
#include "sim/core/event.h"
#include "sim/core/sched.h"
#include "sim/ops/barrier.h"
#include "sim/ops/decoders.h"

static void emit_barrier(SimExec *exec, const SimInst *inst, uint32_t mask, uint8_t flags) {
  if (!sim_wants_event(exec)) { sim_skip_event(exec); return; }
  TraceEvent *e = sim_event(exec, inst, mask);
  e->barrier_id = SIM_CLUSTER_BARRIER;
  sim_barrier_count(exec, &exec->block.barriers[SIM_CLUSTER_BARRIER], e);
  if (flags & TRACE_BAR_ARRIVE) e->flags |= TRACE_BAR_ARRIVE;
  sim_emit(exec);
}

static SimNext exec_arrive(SimExec *exec, const SimInst *inst, uint32_t mask) {
  sim_barrier_arrive(exec, sim_barrier_use(exec, SIM_CLUSTER_BARRIER), mask);
  emit_barrier(exec, inst, mask, TRACE_BAR_ARRIVE);
  exec->pc++;
  sim_barrier_check(exec, SIM_CLUSTER_BARRIER);
  return SIM_GO;
}

static SimNext exec_wait(SimExec *exec, const SimInst *inst, uint32_t mask) {
  bool waits = exec->block.barriers[SIM_CLUSTER_BARRIER].lanes[sim_warp_index(exec)] & mask;
  emit_barrier(exec, inst, mask, waits ? 0 : TRACE_BAR_ARRIVE);
  if (!waits) { exec->pc++; return SIM_GO; }
  if (mask != exec->active) {
    sim_sched_split(exec, mask, exec->pc, exec->pc + 1, -1);
    if (exec->sched == SIM_STACK) sim_swap_top(exec);
  }
  exec->group->pc = exec->pc;
  exec->group->state = SIM_GROUP_BARRIER;
  exec->group->barrier = SIM_CLUSTER_BARRIER;
  return SIM_YIELD;
}

bool sim_decode_cluster_barrier(SimDecoder *d) {
  d->out->kind = TRACE_BARRIER;
  d->out->handler = d->in->mode == PTX_BAR_ARRIVE ? exec_arrive : exec_wait;
  return true;
}

// ---- addresses -----------------------------------------------------------------------------------------------------

static void emit_plain(SimExec *exec, const SimInst *inst, uint32_t mask) {
  if (exec->recording) { sim_event(exec, inst, mask); sim_emit(exec); } else sim_skip_event(exec);
}

// mapa d, address, rank: the address in the shared memory of the block with that rank; there is only block 0.
static SimNext exec_mapa(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const SimOp *op = &inst->op;
  uint32_t others = 0;
  emit_plain(exec, inst, mask);
  SIM_FOR_LANES(i, mask) if (sim_u32(exec->regs, op->b)[i]) others |= 1u << i;
  if (others) {
    char text[96];
    snprintf(text, sizeof text, "it wants the shared memory of block %u of a cluster of one block",
             sim_u32(exec->regs, op->b)[__builtin_ctz(others)]);
    sim_fault(exec, &(SimFaultPlace){.kind = FAULT_OUT_OF_BOUNDS, .mask = others, .text = text});
    return SIM_YIELD;
  }
  SIM_FOR_LANES(i, mask) {
    if (op->imm == 8) sim_u64(exec->regs, op->d)[i] = sim_u64(exec->regs, op->a)[i];
    else sim_u32(exec->regs, op->d)[i] = sim_u32(exec->regs, op->a)[i];
  }
  exec->pc++;
  return SIM_GO;
}

// getctarank d, address
static SimNext exec_rank(SimExec *exec, const SimInst *inst, uint32_t mask) {
  emit_plain(exec, inst, mask);
  SIM_FOR_LANES(i, mask) sim_u32(exec->regs, inst->op.d)[i] = 0;
  exec->pc++;
  return SIM_GO;
}

bool sim_decode_cluster_address(SimDecoder *d) {
  const PtxInstr *in = d->in;
  SimOp *op = &d->out->op;
  int bytes = in->type == PTX_U64 ? 8 : 4;
  if (in->op == PTX_OP_getctarank) {
    op->d = sim_slot_of(d, &in->operands[0], 4);
    d->out->handler = exec_rank;
    return true;
  }
  op->d = sim_slot_of(d, &in->operands[0], bytes);
  op->a = sim_slot_of(d, &in->operands[1], bytes);
  op->b = sim_slot_of(d, &in->operands[2], 4);
  op->imm = (uint32_t)bytes;
  d->out->handler = exec_mapa;
  return true;
}
